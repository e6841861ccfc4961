/** What is wrong with the topology of a crawl in a file; empty if it is right. */
import assert from "node:assert/strict";
import { loadCrawlTopology } from "../../../src/agent/topology/crawl-topology.ts";
import { isCrawlError } from "../../../src/base/errors/index.ts";

export async function topologyMistakes(path: string): Promise<string> {
  try {
    await loadCrawlTopology(path);
    return "";
  } catch (thrown) {
    assert.ok(isCrawlError(thrown) && thrown.code === "TOPOLOGY_INVALID", String(thrown));
    return thrown.message;
  }
}
