/** `trobar store list`: the pages of a crawl, running or not, in the order of their fetches. */
import { quoted } from "../../base/text/index.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { DamageNote } from "./damage-note.ts";
import { Mistakes } from "./mistakes.ts";
import { withStore } from "./opened-crawl.ts";
import { pageFilter } from "./page-filter.ts";
import { lineWishes, PageLines } from "./page-lines.ts";
import { readStoreWords } from "./store-words.ts";

export async function storeList(args: readonly string[], terminal: Terminal): Promise<number> {
  const mistakes = new Mistakes();
  const given = readStoreWords("store list", args, mistakes);
  for (const word of given.words) {
    mistakes.add(`\`store list\` lists all pages; use --filter for some, not ${quoted(word)}.`);
  }
  const wishes = lineWishes(given, mistakes);
  const filter = await mistakes.tried(() => pageFilter(given.value("filter")));
  mistakes.throwIfAny();
  const { colour } = terminal;
  return await withStore(given, terminal, async (view) => {
    const lines = new PageLines(view, { ...wishes, cursors: false, colour });
    const note = new DamageNote(terminal);
    if (!(await terminal.write(lines.head))) return EXIT.finished;
    for await (const { pages, damagedBytes } of view.pages(null)) {
      note.add(damagedBytes);
      let text = "";
      for (const page of pages) {
        if (filter === null || filter.accepts(page)) text += await lines.line(page, null);
      }
      if (text !== "" && !(await terminal.write(text))) break;
    }
    return EXIT.finished;
  });
}
