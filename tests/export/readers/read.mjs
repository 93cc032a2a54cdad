// node read.mjs FORMAT FILE: what a library makes of a file, as JSON: node ids, and edges with their attributes.
import { readFileSync } from "node:fs";
import cytoscape from "cytoscape";
import graphology from "graphology";
import gexf from "graphology-gexf";
import graphml from "graphology-graphml";

const [format, file] = process.argv.slice(2);
const text = readFileSync(file, "utf8");

function ofGraphology(graph) {
  return {
    nodes: graph.nodes(),
    edges: graph.mapEdges((key, attributes, source, target) => ({ key, source, target, ...attributes })),
  };
}

const read = {
  gexf: () => ofGraphology(gexf.parse(graphology.MultiDirectedGraph, text)),
  graphml: () => ofGraphology(graphml.parse(graphology.MultiDirectedGraph, text)),
  json() {
    const data = JSON.parse(text);
    const elements = [
      ...data.nodes.map((node) => ({ data: node })),
      ...data.edges.map((edge, number) => ({ data: { ...edge, id: `e${number}` } })),
    ];
    const graph = cytoscape({ headless: true, elements });
    return { nodes: graph.nodes().map((node) => node.id()), edges: graph.edges().map((edge) => edge.data()) };
  },
};
process.stdout.write(JSON.stringify(await read[format]()));
