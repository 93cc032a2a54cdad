// Bundles the page's program with Cytoscape.js into the Python package, and puts the licences beside it.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";

// What it is built from, noted in what is built, so that a test without Node can tell whether they fit.
const names = ["build.mjs", "package-lock.json", ...(await readdir("src")).map((name) => `src/${name}`)].sort();
const digest = createHash("sha256");
for (const name of names) digest.update(`${name}\n`).update(await readFile(name));

const target = new URL("../src/amazons_solver/explorer/static/", import.meta.url);

await build({
  entryPoints: ["src/main.ts"],
  outfile: new URL("explorer.js", target).pathname,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii", // it stands in a page, whatever the page's encoding is taken for
  legalComments: "none", // the licences are in a file of their own
  banner: { js: `// Built from web/, sha256 ${digest.digest("hex")}` },
});

const { name, version } = JSON.parse(await readFile("node_modules/cytoscape/package.json", "utf-8"));
const licence = await readFile("node_modules/cytoscape/LICENSE", "utf-8");
await writeFile(new URL("LICENSES.txt", target), `explorer.js contains ${name} ${version}:\n\n${licence.trim()}\n`);
