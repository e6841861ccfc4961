/** Opens the link graph, and flushes it every few seconds, so that what is asked of it is found. */
import { SeededRandom } from "../../base/random/index.ts";
import type { FileName, Timer } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type LinkCounts, type LinkGraph, openLinkGraph } from "../../store/links/index.ts";
import { answered } from "../crawl/answers.ts";
import { type CrawlWorld, closed } from "./crawl-world.ts";

const FLUSH_MS = 3000;
export const GRAPH_FOLDER: FileName = "links/graph";

export interface OpenedGraph {
  readonly graph: LinkGraph;
  close(): Promise<void>;
}

export async function openGraph(
  configuration: Configuration,
  world: CrawlWorld,
): Promise<OpenedGraph> {
  const { storage, background, clock, seed, report } = world;
  const random = new SeededRandom(`${seed}/graph`);
  const graph = await answered<LinkGraph>((done) =>
    openLinkGraph({ storage, background, random, folder: GRAPH_FOLDER, report }, done),
  );
  const counts = countsBefore(configuration, world);
  if (counts !== null) graph.countFrom(counts);
  let timer: Timer | null = null;
  const flushLater = (): void => {
    // What fails is reported, and tried again the next time.
    timer = clock.after(FLUSH_MS, () => {
      timer = null;
      graph.flush(() => {
        if (!isClosing) flushLater();
      });
    });
  };
  let isClosing = false;
  flushLater();
  const close = async (): Promise<void> => {
    isClosing = true;
    timer?.cancel();
    await closed(world, (done) => graph.flush(done));
    await closed(world, (done) => graph.close(done));
  };
  return { graph, close };
}

/** Null if nothing is added once more, or it is not known what the graph had before that. */
function countsBefore({ frontier }: Configuration, world: CrawlWorld): LinkCounts | null {
  const { wasKilled, saved, hasOwnStore } = world;
  if (!wasKilled || hasOwnStore || frontier.traversal === "random-walk") return null;
  return saved === null ? { pages: 0, links: 0 } : (saved.links ?? null);
}
