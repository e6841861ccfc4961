/**
 * `trobar store get URL`: the body of a page, decoded, to standard output; its head too, or the bytes
 * as they came, or the page as JSON. A terminal is never sent what it would obey.
 */
import { printable, quoted } from "../../base/text/index.ts";
import { contentOf, JSON_ROWS, type PageRow } from "../../store/export/index.ts";
import type { CommandWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { checkUrls, givenUrls, pagesMeant } from "./given-urls.ts";
import { Mistakes } from "./mistakes.ts";
import { withStore } from "./opened-crawl.ts";
import type { StoredAnswer, StoreView } from "./store-view.ts";
import { readStoreWords } from "./store-words.ts";

export async function storeGet(args: readonly string[], terminal: Terminal): Promise<number> {
  const mistakes = new Mistakes();
  const given = readStoreWords("store get", args, mistakes);
  await checkUrls("store get", given, mistakes);
  if (given.has("json") && given.has("raw")) {
    mistakes.add("--raw writes the body and --json the page: give one of them.");
  }
  for (const flag of ["text", "links"]) {
    if (given.has(flag) && !given.has("json")) mistakes.add(`--${flag} needs --json.`);
  }
  mistakes.throwIfAny();
  return await withStore(given, terminal, async (view) => {
    let code: number = EXIT.finished;
    for await (const { text: url, page } of pagesMeant(view, givenUrls(given, terminal))) {
      const result = page === null ? "absent" : await got({ view, page, given, terminal });
      if (result === "gone") break;
      if (page === null) terminal.err(`trobar: ${absence(url, view)}\n`);
      // What is damaged is worse than what was never there.
      if (result === "absent" && code !== EXIT.disk) code = EXIT.notFound;
      if (result === "damaged") code = EXIT.disk;
    }
    return code;
  });
}

function absence(url: string, { partNote }: StoreView): string {
  if (partNote === null) return `${quoted(url)} is not in this crawl`;
  return `${quoted(url)} is not here. ${partNote}`;
}

/** `gone` when nobody reads the results any longer. */
type Result = "written" | "absent" | "damaged" | "gone";

interface Asked {
  readonly view: StoreView;
  readonly page: PageRow;
  readonly given: CommandWords;
  readonly terminal: Terminal;
}

async function got(asked: Asked): Promise<Result> {
  const { view, page, given, terminal } = asked;
  const outcome = given.has("json") && !given.has("headers") ? null : await view.record(page);
  if (given.has("json")) {
    const row = await view.whole(page, { text: given.has("text"), links: given.has("links") });
    const headers = outcome?.kind === "record" ? outcome.record.headers : null;
    const whole = given.has("headers") ? { ...row, headers } : row;
    return (await terminal.write(JSON_ROWS.line(whole))) ? "written" : "gone";
  }
  if (outcome === null || outcome.kind === "absent") {
    terminal.err(`trobar: ${quoted(page.url)} ${whyWithoutBody(page, view)}\n`);
    return "absent";
  }
  if (outcome.kind === "damaged") return damaged(asked, outcome.reason);
  return await writeAnswer(asked, outcome.record);
}

async function writeAnswer(asked: Asked, record: StoredAnswer): Promise<Result> {
  const { page, given, terminal } = asked;
  const content = given.has("raw")
    ? { kind: "content" as const, bytes: record.payload }
    : contentOf(record);
  if (content.kind === "damaged") return damaged(asked, content.reason);
  const head = given.has("headers") ? headText(record) : "";
  if (page.redirectTo !== null) {
    terminal.err(`trobar: ${quoted(page.url)} redirects to ${quoted(page.redirectTo)}\n`);
  }
  if (!terminal.isOutLive) {
    const bytes = Buffer.concat([Buffer.from(head, "latin1"), content.bytes]);
    return (await terminal.write(bytes)) ? "written" : "gone";
  }
  if (isBinary(content.bytes)) {
    const type = printable(page.mime ?? "of unknown type");
    terminal.err(`trobar: the body is not text (${type}); write it to a file: … > FILE\n`);
    return (await terminal.write(forTerminal(head))) ? "written" : "gone";
  }
  const text = head + Buffer.from(content.bytes).toString();
  return (await terminal.write(forTerminal(text))) ? "written" : "gone";
}

function damaged({ page, terminal }: Asked, reason: string): Result {
  terminal.err(
    `trobar: ${quoted(page.url)} cannot be read: ${printable(reason)}. ` +
      "`trobar store verify` lists all damage.\n",
  );
  return "damaged";
}

function whyWithoutBody(
  { status, error, warc }: PageRow,
  { unarchived }: Pick<StoreView, "unarchived">,
): string {
  if (status === 0) return `has no body: it was not answered (${error ?? "unknown reason"})`;
  if (unarchived !== null) return `was answered (${status}), but ${printable(unarchived)}`;
  return warc === null
    ? `was answered (${status}), but not archived, as the filter says`
    : `was answered (${status}), but asks not to be archived (noarchive)`;
}

function headText({ statusLine, headers }: StoredAnswer): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return statusLine === "" ? "" : `${statusLine}\r\n${lines.join("")}\r\n`;
}

const LOOKED_AT_BYTES = 8192;

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
}

/** Lines and tabs stay; nothing else in the text can act on the terminal. */
function forTerminal(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line) => line.split("\t").map(printable).join("\t")).join("\n");
}
