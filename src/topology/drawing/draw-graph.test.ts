/** Every format with a small crawler and with hostile names; SVG has a test of its own too. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { needsProgram } from "../../../test/support/requirement.ts";
import { CRAWL_TOPOLOGY, graphFrom, HOSTILE_NAMES, hostileGraph } from "./crawl-graph.fixture.ts";
import { DRAWING_FORMATS, drawGraph } from "./draw-graph.ts";
import type { TopologyGraph } from "./topology-graph.ts";

const EMPTY: TopologyGraph = { nodes: [], edges: [] };

test("as text, every unit has what is bound to it, and every connector who uses it", async () => {
  const text = await drawGraph(await graphFrom(CRAWL_TOPOLOGY), "text");
  const expected = `components
  seed-file     source seeds
    └ output → seeds
  seen          merge seen
    ├ seeds ← seeds
    ├ found ← found
    └ fresh → urls
  download × 5  filter downloader, on failure restart
    ├ input ← urls
    ├ output → pages
    └ addressResolver: cache
  parse         filter html-parser
    ├ input ← pages
    └ output → found
  store         sink archive
    └ input ← pages

connectors
  seeds  url, local
    ├ seed-file → seen
    └ capacity = 100
  found  url, far
    └ parse → seen
  urls   url, local
    └ seen → download × 5
  pages  page, tee
    ├ download × 5 → parse, store
    └ capacity = 50

providers
  dns    dns, provides resolver
    └ used by cache
  cache  cached, provides resolver
    ├ used by download × 5
    └ behind: dns
`;
  assert.equal(text, expected);
});

test("as JSON, nodes and edges have everything that the file says", async () => {
  const { nodes, edges } = JSON.parse(await drawGraph(await graphFrom(CRAWL_TOPOLOGY), "json"));
  assert.deepEqual(nodes[2], {
    ...{ id: "download", part: "component", kind: "filter", unit: "downloader", instances: 5 },
    ...{ thread: null, onFailure: "restart", settings: {} },
  });
  assert.deepEqual(nodes[8], {
    ...{ id: "pages", part: "connector", kind: "tee", type: "page", serialized: false },
    settings: { capacity: "50" },
  });
  assert.deepEqual(nodes[10], {
    ...{ id: "cache", part: "provider", role: "resolver", unit: "cached", shared: false },
    settings: {},
  });
  assert.deepEqual(edges[9], {
    ...{ from: "download", to: "cache", kind: "provider", role: "addressResolver" },
  });
});

test("for Graphviz, connectors are divided rectangles and providers cylinders", async () => {
  const dot = await drawGraph(await graphFrom(CRAWL_TOPOLOGY), "dot");
  assert.match(dot, /n2 \[shape=ellipse, .*label="download × 5\\nfilter downloader"\];/);
  assert.match(dot, /n8 \[shape=record, .*label="pages \(50\)\\npage\\ntee\|\{\|\|\|\}"\];/);
  assert.match(dot, /n10 \[shape=cylinder, .*label="cache\\ncached"\];/);
  assert.match(dot, /n3 -> n6 \[label="", arrowhead=empty\];/);
  assert.match(dot, /n2 -> n10 \[label="addressResolver", style=dashed, arrowhead=none\];/);
});

test("for Mermaid, nodes have numbers and labels", async () => {
  const mermaid = await drawGraph(await graphFrom(CRAWL_TOPOLOGY), "mermaid");
  assert.match(mermaid, /^flowchart LR\n/);
  assert.match(mermaid, /\n {2}n2\(\["download × 5<br\/>filter downloader"\]\)\n/);
  assert.match(mermaid, /\n {2}n8\[\["pages #40;50#41;<br\/>page<br\/>tee"\]\]\n/);
  assert.match(mermaid, /\n {2}n2 -\.-\|"addressResolver"\| n10\n/);
});

test("it is shown in every format that a provider is shared", async () => {
  const graph = await graphFrom(CRAWL_TOPOLOGY.replace("unit: dns", "unit: dns, shared: true"));
  const shown: Readonly<Record<string, RegExp>> = {
    text: /\n {2}dns {4}dns, provides resolver, shared\n/,
    json: /"unit": "dns",\n *"shared": true,/,
    svg: /<title>provider dns\ndns, provides resolver, shared<\/title>.*>shared<\/text>/,
    dot: /n9 \[shape=cylinder, .*label="dns\\ndns\\nshared"\];/,
    mermaid: /\n {2}n9\[\("dns<br\/>dns<br\/>shared"\)\]\n/,
  };
  for (const format of DRAWING_FORMATS) {
    const drawn = await drawGraph(graph, format);
    assert.match(drawn, shown[format] ?? /^$/, format);
    assert.equal(
      drawn.match(format === "json" ? /"shared": true/g : /shared/g)?.length,
      format === "svg" ? 2 : 1,
    );
  }
});

test("no name becomes an escape sequence, a line of its own or markup, whatever the format", async () => {
  const graph = await hostileGraph();
  for (const format of DRAWING_FORMATS) {
    const drawn = await drawGraph(graph, format);
    assert.doesNotMatch(drawn, /[^\P{Cc}\n]|[\u202e\u2028]/u, format);
    const isMarkup = format === "svg" || format === "mermaid";
    if (isMarkup) assert.doesNotMatch(drawn, /<script/, format);
  }
});

test("hostile names are whole in JSON", async () => {
  const { nodes } = JSON.parse(await drawGraph(await hostileGraph(), "json"));
  const units = new Set(nodes.map((node: Record<string, string>) => node["unit"] ?? node["type"]));
  for (const name of HOSTILE_NAMES) assert.ok(units.has(name), name);
  assert.deepEqual(
    Object.entries(nodes[12].settings).map(([key]) => key),
    ["__proto__"],
  );
});

test("a Mermaid label has no character that could end it", async () => {
  const lines = (await drawGraph(await hostileGraph(), "mermaid")).trimEnd().split("\n").slice(1);
  const label = '"(?:[\\p{L}\\p{N} ,./:×…-]|#\\d+;|<br/>)*"';
  const line = new RegExp(
    `^  (?:n\\d+(?:\\(\\[${label}\\]\\)|\\[\\[${label}\\]\\]|\\[\\(${label}\\)\\])` +
      `|n\\d+ (?:-->|-\\.-)(?:\\|${label}\\|)? n\\d+)$`,
    "u",
  );
  for (const one of lines) assert.match(one, line);
});

test("Graphviz draws every graph and shows names as they are", {
  skip: needsProgram("dot"),
}, async () => {
  for (const graph of [EMPTY, await graphFrom(CRAWL_TOPOLOGY), await hostileGraph()]) {
    const dot = await drawGraph(graph, "dot");
    const { status, stdout, stderr } = spawnSync("dot", ["-Tsvg"], {
      input: dot,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    assert.equal(stdout.match(/class="node"/g)?.length ?? 0, graph.nodes.length);
    assert.equal(stdout.match(/class="edge"/g)?.length ?? 0, graph.edges.length);
    if (graph.nodes.length > 20) {
      for (const name of ["a\\", "\\N{x|y}&lt;p&gt;", "&amp;amp;&amp;#60;", "\\x1b[2J\\x07"]) {
        assert.ok(stdout.replaceAll("&#45;", "-").includes(`>${name}`), name);
      }
    }
  }
});

test("an empty topology can be drawn in every format", async () => {
  for (const format of DRAWING_FORMATS) assert.match(await drawGraph(EMPTY, format), /\n$/);
});

test("as text, a unit that is bound twice to a connector is named there once", async () => {
  const twice = CRAWL_TOPOLOGY.replace("  found: { type: url, kind: far }\n", "")
    .replace("found: found }", "found: seeds }")
    .replace("output: found", "output: seeds");
  const text = await drawGraph(await graphFrom(twice), "text");
  assert.match(text, /├ seed-file, parse → seen\n/);
});
