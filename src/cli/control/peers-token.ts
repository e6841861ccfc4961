/**
 * `trobar peers token`: a new join token. Every agent of a cluster, the first too, is started with a copy
 * of it. With `-o DIR` it is good for the crawl of that directory only.
 */
import { makeToken, printToken } from "../../base/transport/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { crawlFolder } from "../store/crawl-folder.ts";

export async function peersToken(args: readonly string[], terminal: Terminal): Promise<number> {
  const out = readWords("peers token", args, 0, 0).value("out");
  const crawl = out === null ? null : CrawlDirectory.identityOf(crawlFolder(out).path).crawl;
  terminal.out(printToken(makeToken(crawl)));
  return EXIT.finished;
}
