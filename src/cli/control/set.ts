/**
 * `trobar set KEY=VALUE…`: changes keys of the configuration, or settings of units (UNIT.KEY), of a
 * running crawl, one after the other; VALUE is YAML. What cannot be changed is refused with the reason,
 * and leaves the crawl as it was.
 */
import { printable, quoted } from "../../base/text/index.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { Mistakes } from "../store/mistakes.ts";
import { findCrawl, running } from "./find-crawl.ts";

interface Setting {
  readonly key: string;
  readonly value: unknown;
}

const ASSIGNMENT = /^([A-Za-z][\w.-]*)=(.*)$/s;

export async function set(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("set", args, 1);
  const mistakes = new Mistakes();
  const changes = given.words.flatMap((word) => {
    const [, key, value] = ASSIGNMENT.exec(word) ?? [];
    if (key !== undefined && value !== undefined) return [{ key, value }];
    mistakes.add(`${quoted(word)} is not KEY=VALUE, as in fetch.retries=5.`, "USAGE_BAD_ARGUMENT");
    return [];
  });
  mistakes.throwIfAny();
  const client = running(await findCrawl(given, terminal));
  const settings: Setting[] = [];
  for (const change of changes) {
    const answer = (await client.ask("PATCH", "/settings", change)) as { settings: Setting[] };
    settings.push(...answer.settings);
    if (given.has("json")) continue;
    for (const { key, value } of answer.settings)
      terminal.out(`${printable(`${key}: ${value}`)}\n`);
  }
  if (given.has("json")) terminal.out(`${JSON.stringify({ settings })}\n`);
  return EXIT.finished;
}
