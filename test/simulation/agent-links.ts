/** The link graph on a simulated disk. */
import { answered } from "../../src/agent/crawl/answers.ts";
import type { Kernel, SimDisk } from "../../src/lab/simulator/index.ts";
import { pagesIn } from "../../src/store/links/link-text.ts";
import { type LinkBlock, LinkWalk } from "../../src/store/links/walk-links.ts";
import { driven } from "../support/agent/virtual-driver.ts";

/** Where each page links to. */
export async function linksOn(
  disk: SimDisk,
  kernel: Kernel,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  return await driven(kernel, read(disk, kernel));
}

async function read(disk: SimDisk, kernel: Kernel): Promise<Map<string, Set<string>>> {
  const links = new Map<string, Set<string>>();
  const storage = disk.mount(kernel.clock);
  const walk = await answered<LinkWalk | null>((done) =>
    LinkWalk.open(storage, "links/graph", done),
  );
  while (walk !== null) {
    const blocks = await answered<readonly LinkBlock[] | null>((done) => walk.next(done));
    if (blocks === null) break;
    for (const { text } of blocks) {
      if (text === null) throw new Error("the link graph cannot be read");
      // A page that is added again has only its new links.
      for (const page of pagesIn(text))
        links.set(page.url, new Set(page.links.map(({ url }) => url)));
    }
  }
  return links;
}
