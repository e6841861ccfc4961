/** A web for virtual crawls, and what they have stored of it. */
import assert from "node:assert/strict";
import type { SimDisk } from "../../../src/lab/simulator/index.ts";
import { damageOf, recordsOf, scanAll } from "../formats/warc-reading.ts";
import type { Graph } from "../frontier/graph-crawl.ts";

/** A tree of pages on each of some hosts, with links to the next host and back to the root. */
export function treeOfPages(hosts: number, pages: number): Graph {
  const graph: Record<string, string[]> = {};
  for (let host = 0; host < hosts; host += 1) {
    for (let page = 0; page < pages; page += 1) {
      const below = [2 * page + 1, 2 * page + 2].filter((child) => child < pages);
      const links = [...below.map((child) => `h${host}/${child}`), `h${host}/0`];
      graph[`h${host}/${page}`] = [...links, `h${(host + 1) % hosts}/${page}`];
    }
  }
  return graph;
}

/** URLs of all records of pages on a disk, of which no file is damaged; sorted. */
export function storedOn(disk: SimDisk): string[] {
  const names = disk.fileNames().filter((name) => name.startsWith("warc/"));
  const records = names.flatMap((name) => {
    const steps = scanAll(Buffer.from(disk.contentOf(name) ?? []));
    assert.deepEqual(damageOf(steps), [], name);
    return recordsOf(steps).filter(({ type }) => type === "response" || type === "revisit");
  });
  return records.map(({ targetUri }) => targetUri ?? "").sort();
}
