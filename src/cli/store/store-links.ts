/** `trobar store links URL`: the links of a page, or with `--in` those that lead to it. */
import { printable, quoted } from "../../base/text/index.ts";
import { assumedUrl } from "../../formats/url/index.ts";
import type { RowLink } from "../../store/export/index.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { onlyUrl, pageMeant } from "./given-urls.ts";
import { Mistakes } from "./mistakes.ts";
import { withStore } from "./opened-crawl.ts";
import type { StoreView } from "./store-view.ts";
import { readStoreWords } from "./store-words.ts";

export async function storeLinks(args: readonly string[], terminal: Terminal): Promise<number> {
  const mistakes = new Mistakes();
  const given = readStoreWords("store links", args, mistakes);
  const text = await mistakes.tried(() => onlyUrl("store links", given.words));
  mistakes.throwIfAny();
  if (text === null) return EXIT.usage;
  const isJson = given.has("json");
  return await withStore(given, terminal, async (view) => {
    const page = await pageMeant(view, text);
    const url = page?.url ?? assumedUrl(text) ?? text;
    if (given.has("in"))
      return await linksIn(view, url, { terminal, isJson, isPage: page !== null });
    if (page === null) return absent(url, terminal);
    const links = await view.linksOf(url);
    if (links === null) {
      terminal.err(`trobar: nothing is known of the links of ${quoted(url)}: it was not read\n`);
      return EXIT.notFound;
    }
    await terminal.write(links.map((link) => printed(link, isJson)).join(""));
    return EXIT.finished;
  });
}

interface Asked {
  readonly terminal: Terminal;
  readonly isJson: boolean;
  /** Whether it was fetched; what was not may be linked to all the same. */
  readonly isPage: boolean;
}

async function linksIn(view: StoreView, url: string, asked: Asked): Promise<number> {
  const { terminal, isJson, isPage } = asked;
  let count = 0;
  for await (const links of view.linksTo(url)) {
    count += links.length;
    if (links.length === 0) continue;
    if (!(await terminal.write(links.map((link) => printed(link, isJson)).join("")))) break;
  }
  return count > 0 || isPage ? EXIT.finished : absent(url, terminal);
}

function absent(url: string, terminal: Terminal): number {
  terminal.err(`trobar: ${quoted(url)} is not in this crawl\n`);
  return EXIT.notFound;
}

function printed({ url, kind, rel, text }: RowLink, isJson: boolean): string {
  if (isJson) return `${JSON.stringify({ url, kind, rel, text })}\n`;
  const words = [kind.padEnd(8), printable(url)];
  if (rel !== "") words.push(`rel=${printable(rel)}`);
  if (text !== "") words.push(quoted(text));
  return `${words.join("  ")}\n`;
}
