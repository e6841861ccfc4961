/**
 * `trobar retry [--where FILTER]`: has failed pages tried again: at once if the crawl runs, else by its
 * next run. Without a filter these are the pages that may succeed: without an answer, 429, 5xx.
 */
import { RestingCrawl } from "../../agent/index.ts";
import { loadPageFilter } from "../../store/query/index.ts";
import { plural } from "../crawl/figures.ts";
import { readWords, takeWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { Mistakes } from "../store/mistakes.ts";
import { findCrawl, titled } from "./find-crawl.ts";

export async function retry(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("retry", args, 0);
  const where = given.value("where");
  const mistakes = new Mistakes();
  await mistakes.tried(() => takeWords("retry", given.words, 0));
  if (where !== null) await mistakes.tried(() => loadPageFilter(where, "--where"));
  mistakes.throwIfAny();
  const { client, folders, name } = await findCrawl(given, terminal);
  const isRunning = client !== null;
  const retried = isRunning ? await retriedBy(client, where) : await retriedIn(folders, where);
  if (given.has("json")) terminal.out(`${JSON.stringify({ running: isRunning, retried })}\n`);
  else {
    const when = isRunning || retried === 0 ? "" : " by its next run, since it is not running";
    terminal.out(titled(name, `${plural(retried, "page")} to be tried again${when}`));
  }
  return EXIT.finished;
}

/** By each agent, when it runs again. */
async function retriedIn(folders: readonly string[], where: string | null): Promise<number> {
  let count = 0;
  for (const folder of folders) count += await (await RestingCrawl.open(folder)).retry(where);
  return count;
}

async function retriedBy(
  client: NonNullable<Awaited<ReturnType<typeof findCrawl>>["client"]>,
  where: string | null,
): Promise<number> {
  const order = where === null ? { action: "retry" } : { action: "retry", where };
  return ((await client.ask("POST", "/control", order)) as { retried: number }).retried;
}
