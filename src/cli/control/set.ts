/**
 * `trobar set KEY=VALUE…`: changes keys of the configuration, or settings of units (UNIT.KEY), of a
 * running crawl; VALUE is YAML. Mistakes are all told, and then nothing is changed.
 */
import { printable } from "../../base/text/index.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { changeableOf, checkedChanges } from "./checked-changes.ts";
import { findCrawl, running } from "./find-crawl.ts";

interface Setting {
  readonly key: string;
  readonly value: unknown;
}

export async function set(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("set", args, 1);
  const found = await findCrawl(given, terminal).catch((error) => {
    checkedChanges(given.words, null);
    throw error;
  });
  const changeable = found.client === null ? null : await changeableOf(found.client);
  const changes = checkedChanges(given.words, changeable);
  const client = running(found);
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
