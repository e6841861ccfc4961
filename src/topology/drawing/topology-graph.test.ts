import assert from "node:assert/strict";
import { test } from "node:test";
import { CRAWL_TOPOLOGY, graphFrom } from "./crawl-graph.fixture.ts";

test("components, connectors and providers are nodes, bindings are edges", async () => {
  const { nodes, edges } = await graphFrom(CRAWL_TOPOLOGY);
  assert.deepEqual(
    nodes.map(({ part, id }) => `${part} ${id}`),
    [
      ...["component seed-file", "component seen", "component download", "component parse"],
      ...["component store", "connector seeds", "connector found", "connector urls"],
      ...["connector pages", "provider dns", "provider cache"],
    ],
  );
  assert.deepEqual(
    edges.map(({ from, to, kind, role }) => `${from} -${role}-> ${to} ${kind}`),
    [
      "seed-file -output-> seeds items",
      "seeds -seeds-> seen items",
      "found -found-> seen items",
      "seen -fresh-> urls items",
      "urls -input-> download items",
      "download -output-> pages items",
      "pages -input-> parse items",
      "parse -output-> found items",
      "pages -input-> store items",
      "download -addressResolver-> cache provider",
      "cache -behind-> dns provider",
    ],
  );
});

test("a node says what it is, how often, and with which settings", async () => {
  const { nodes } = await graphFrom(CRAWL_TOPOLOGY.replace("restart", "stop\n    thread: parsing"));
  const node = (id: string) => nodes.find((one) => one.id === id);
  assert.deepEqual(node("download"), {
    ...{ id: "download", part: "component", kind: "filter", of: "downloader", instances: 5 },
    ...{ thread: "parsing", onFailure: "stop", isSerialized: false, isShared: false },
    settings: [],
  });
  assert.deepEqual(node("pages")?.settings, [["capacity", "50"]]);
  assert.equal(node("pages")?.kind, "tee");
  assert.equal(node("found")?.isSerialized, true);
  // Between threads.
  assert.equal(node("urls")?.isSerialized, true);
  assert.equal(node("seeds")?.isSerialized, false);
  assert.equal(node("cache")?.kind, "resolver");
  assert.equal(node("cache")?.isShared, false);
});

test("a setting is shown without the password of a URL in it", async () => {
  const field = 'kind: priority, field: "http://me:secret@example.org/"';
  const text = CRAWL_TOPOLOGY.replace("type: url, capacity: 100", `type: url, ${field}`);
  const { nodes } = await graphFrom(text);
  const settings = nodes.find(({ id }) => id === "seeds")?.settings;
  assert.equal(settings?.[0]?.[0], "field");
  assert.match(settings[0][1], /example\.org/);
  assert.doesNotMatch(settings[0][1], /secret/);
});
