// Bundles the page's program with Cytoscape.js into the Python package, and puts the licences beside it.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";

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
});

const { name, version } = JSON.parse(await readFile("node_modules/cytoscape/package.json", "utf-8"));
const licence = await readFile("node_modules/cytoscape/LICENSE", "utf-8");
await writeFile(new URL("LICENSES.txt", target), `explorer.js contains ${name} ${version}:\n\n${licence.trim()}\n`);
