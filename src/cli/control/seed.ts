/**
 * `trobar seed URL…`: adds seeds to a crawl: at once if it runs, else for its next run. Seeds that the
 * crawl has are fine; one that cannot be crawled is told of, and the others are added.
 */
import { type ControlledCrawl, RestingCrawl } from "../../agent/index.ts";
import { printable } from "../../base/text/index.ts";
import { plural } from "../crawl/figures.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import type { ApiClient } from "./api-client.ts";
import { findCrawl, titled } from "./find-crawl.ts";

type AddedSeed = Awaited<ReturnType<RestingCrawl["addSeeds"]>>[number];
type AddedSeeds = Awaited<ReturnType<ControlledCrawl["addSeeds"]>>;

interface Added {
  readonly isRunning: boolean;
  readonly seeds: readonly AddedSeed[];
  /** How many agents hold those that were added; null if none was. */
  readonly agents: number | null;
}

/** The API takes this many at once. */
const SEEDS_AT_ONCE = 1000;

/** Exit code 2 if not one of them can be crawled. */
export async function seed(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("seed", args, 1);
  const { client, folder, name } = await findCrawl(given, terminal);
  const answers: AddedSeeds[] = [];
  for (let at = 0; at < given.words.length; at += SEEDS_AT_ONCE) {
    const texts = given.words.slice(at, at + SEEDS_AT_ONCE);
    answers.push(
      client === null ? await addAtRest(folder ?? "", texts) : await addTo(client, texts),
    );
  }
  const holders = answers.flatMap(({ seeds, agents }) => (seeds.some(isAdded) ? [agents] : []));
  const agents = holders.length === 0 ? null : Math.min(...holders);
  const seeds = answers.flatMap((answer) => answer.seeds);
  const isRunning = client !== null;
  if (given.has("json")) terminal.out(`${JSON.stringify({ running: isRunning, agents, seeds })}\n`);
  else {
    const isShared = agents === 1 && client !== null ? await isOneOfSeveral(client) : agents !== 1;
    tell(name, { isRunning, seeds, agents: isShared ? agents : null }, terminal);
  }
  return seeds.some((one) => isAdded(one) || one.fate === "known") ? EXIT.finished : EXIT.usage;
}

function isAdded({ fate }: AddedSeed): boolean {
  return fate === "added";
}

async function addTo(client: ApiClient, seeds: readonly string[]): Promise<AddedSeeds> {
  return (await client.ask("POST", "/seeds", { seeds })) as AddedSeeds;
}

async function addAtRest(folder: string, texts: readonly string[]): Promise<AddedSeeds> {
  const crawl = await RestingCrawl.open(folder);
  return { seeds: await crawl.addSeeds(texts), agents: 1 };
}

/** Whether other agents could hold the seeds too: in their crawl, that one has them is worth telling. */
async function isOneOfSeveral(client: ApiClient): Promise<boolean> {
  const { agent } = (await client.ask("GET", "/cluster")) as { readonly agent: string | null };
  return agent !== null;
}

function tell(name: string, { isRunning, seeds, agents }: Added, terminal: Terminal): void {
  for (const { seed: text, fate, why } of seeds) {
    if (why !== null) terminal.err(`trobar: ${printable(`${text} ${fate}: ${why}`)}\n`);
  }
  const added = seeds.filter(isAdded).length;
  const known = seeds.filter(({ fate }) => fate === "known").length;
  const when = isRunning || added === 0 ? "" : ", for its next run, since it is not running";
  const held = agents === null ? "" : `, held by ${plural(agents, "agent")}`;
  const before = known === 0 ? "" : `; ${plural(known, "seed")} it had before`;
  terminal.out(titled(name, `${plural(added, "seed")} added${when}${held}${before}`));
}
