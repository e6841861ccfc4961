/** `trobar pause`, `resume` and `stop`: what is done to a running crawl as a whole. */
import { type CrawlSummary, RestingCrawl } from "../../agent/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { plural } from "../crawl/figures.ts";
import { type CommandWords, readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import type { ApiClient } from "./api-client.ts";
import { type FoundCrawl, findCrawl, isThere, running, titled } from "./find-crawl.ts";

/** How soon to look again whether a crawl has ended. */
const LOOK_AGAIN_MS = SECOND_MS / 5;

export async function pause(args: readonly string[], terminal: Terminal): Promise<number> {
  const { found, summary, isJson } = await act("pause", args, terminal);
  const text = `paused after ${plural(summary.pages, "page")}; \`trobar resume\` goes on`;
  terminal.out(isJson ? `${JSON.stringify(summary)}\n` : titled(found.name, text));
  return EXIT.finished;
}

export async function resume(args: readonly string[], terminal: Terminal): Promise<number> {
  const { found, summary, isJson } = await act("resume", args, terminal);
  const text = `running, with ${plural(summary.queued, "URL")} queued`;
  terminal.out(isJson ? `${JSON.stringify(summary)}\n` : titled(found.name, text));
  return EXIT.finished;
}

/** Waits until the process is done with the directory, so that the crawl can be started again. */
export async function stop(args: readonly string[], terminal: Terminal): Promise<number> {
  const { found, client, summary, isJson } = await act("stop", args, terminal);
  if (!(await untilGone(client, terminal))) return EXIT.interrupted;
  const isShared = summary.agents > 1;
  const ended = isShared ? { ...summary, ...STOPPED } : ((await summaryAtRest(found)) ?? summary);
  const { pages, queued } = ended;
  const left = queued === 0 ? "nothing is queued" : `${plural(queued, "URL")} queued`;
  const text = `stopped after ${plural(pages, "page")}, ${left}; the same command goes on with it`;
  terminal.out(isJson ? `${JSON.stringify(ended)}\n` : titled(found.name, text));
  return EXIT.finished;
}

/** The directory of an agent knows its own part only; what all have done was said when they were told. */
const STOPPED = { state: "stopped", reason: "signal" } as const;

interface Acted {
  readonly found: FoundCrawl;
  readonly client: ApiClient;
  /** Right afterwards. */
  readonly summary: CrawlSummary;
  readonly isJson: boolean;
}

async function act(
  action: "pause" | "resume" | "stop",
  args: readonly string[],
  terminal: Terminal,
): Promise<Acted> {
  const given: CommandWords = readWords(action, args, 0, 0);
  const found = await findCrawl(given, terminal);
  const client = running(found);
  const order = given.has("now") ? { action, immediate: true } : { action };
  const summary = (await client.ask("POST", "/control", order)) as CrawlSummary;
  return { found, client, summary, isJson: given.has("json") };
}

/** Waits until a crawl can be asked no more; false if the user does not want to wait any longer. */
export async function untilGone(client: ApiClient, terminal: Terminal): Promise<boolean> {
  const clock = new SystemClock();
  let isInterrupted = false;
  const interrupted = terminal.untilInterrupted().then(() => {
    isInterrupted = true;
  });
  while (!isInterrupted) {
    if (!(await isThere(client))) return true;
    const passed = new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve));
    await Promise.race([interrupted, passed]);
  }
  return false;
}

/** Null if only the API is known, or the crawl did not end in order after all. */
async function summaryAtRest({ folder }: FoundCrawl): Promise<CrawlSummary | null> {
  return folder === null ? null : (await RestingCrawl.open(folder)).summary();
}
