/** `trobar store stats`: how much a crawl has kept, by status, type, language and depth. */
import { printable, quoted } from "../../base/text/index.ts";
import type { CrawlStats } from "../../store/query/index.ts";
import { amount, bytesText } from "../crawl/figures.ts";
import { EXIT } from "../shell/exit-code.ts";
import { bold, type Terminal } from "../shell/terminal.ts";
import { Mistakes } from "./mistakes.ts";
import { withCrawl } from "./opened-crawl.ts";
import { readStoreWords } from "./store-words.ts";

export async function storeStats(args: readonly string[], terminal: Terminal): Promise<number> {
  const mistakes = new Mistakes();
  const given = readStoreWords("store stats", args, mistakes);
  for (const word of given.words) {
    mistakes.add(`${quoted(word)}: name the directory of a whole crawl with -o DIR.`);
  }
  mistakes.throwIfAny();
  return await withCrawl(given, terminal, async (view) => {
    const stats = await view.stats();
    const text = given.has("json") ? `${JSON.stringify(stats)}\n` : shown(stats, terminal.colour);
    await terminal.write(text);
    return EXIT.finished;
  });
}

/** The rest of a long list is summed up. */
const NAMES_SHOWN = 12;

function shown(stats: CrawlStats, colour: boolean): string {
  const { pages, hosts, bytes, links } = stats;
  const lines = [
    `pages  ${amount(pages)}`,
    `hosts  ${amount(hosts)}`,
    `bytes  ${bytesText(bytes)}`,
    `links  ${links === null ? "not kept" : amount(links)}`,
  ];
  for (const name of ["status", "mime", "language", "depth"] as const) {
    const counts = Object.entries(stats[name]);
    if (counts.length === 0) continue;
    const sorted = counts.sort(([, left], [, right]) => right - left);
    const rest = sorted.slice(NAMES_SHOWN).reduce((total, [, count]) => total + count, 0);
    lines.push("", bold(name, colour));
    for (const [value, count] of sorted.slice(0, NAMES_SHOWN)) {
      lines.push(`  ${amount(count).padStart(12)}  ${printable(value)}`);
    }
    if (rest > 0) lines.push(`  ${amount(rest).padStart(12)}  others`);
  }
  return `${lines.join("\n")}\n`;
}
