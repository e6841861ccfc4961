/**
 * `trobar seed URL…`: adds seeds to a crawl: at once if it runs, else for its next run. Seeds that the
 * crawl has are fine; one that cannot be crawled is told of, and the others are added.
 */
import { RestingCrawl } from "../../agent/index.ts";
import { printable } from "../../base/text/index.ts";
import { plural } from "../crawl/figures.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { findCrawl, titled } from "./find-crawl.ts";

type AddedSeed = Awaited<ReturnType<RestingCrawl["addSeeds"]>>[number];

/** The API takes this many at once. */
const SEEDS_AT_ONCE = 1000;

/** Exit code 2 if not one of them can be crawled. */
export async function seed(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("seed", args, 1);
  const { client, folder, name } = await findCrawl(given, terminal);
  const added: AddedSeed[] = [];
  for (let at = 0; at < given.words.length; at += SEEDS_AT_ONCE) {
    const seeds = given.words.slice(at, at + SEEDS_AT_ONCE);
    if (client === null)
      added.push(...(await (await RestingCrawl.open(folder ?? "")).addSeeds(seeds)));
    else {
      const answer = (await client.ask("POST", "/seeds", { seeds })) as { seeds: AddedSeed[] };
      added.push(...answer.seeds);
    }
  }
  const isRunning = client !== null;
  if (given.has("json")) terminal.out(`${JSON.stringify({ running: isRunning, seeds: added })}\n`);
  else tell(name, added, isRunning, terminal);
  return added.some(({ fate }) => fate === "added" || fate === "known")
    ? EXIT.finished
    : EXIT.usage;
}

function tell(
  name: string,
  seeds: readonly AddedSeed[],
  isRunning: boolean,
  terminal: Terminal,
): void {
  for (const { seed: text, fate, why } of seeds) {
    if (why !== null) terminal.err(`trobar: ${printable(`${text} ${fate}: ${why}`)}\n`);
  }
  const added = seeds.filter(({ fate }) => fate === "added").length;
  const known = seeds.filter(({ fate }) => fate === "known").length;
  const when = isRunning || added === 0 ? "" : ", for its next run, since it is not running";
  const before = known === 0 ? "" : `; ${plural(known, "seed")} it had before`;
  terminal.out(titled(name, `${plural(added, "seed")} added${when}${before}`));
}
