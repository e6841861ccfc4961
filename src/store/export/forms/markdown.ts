/**
 * Markdown: the main content of each HTML page as a file of its own, with its URL, title and date
 * in front. The content is found by `@mozilla/readability` on the DOM of `linkedom` and converted
 * by `turndown`; all three are loaded when the first page needs them. Pages in which no main
 * content is found are given as plain text.
 */
import { documentBase } from "../../../formats/html/index.ts";
import type { PartFolder } from "../output/part-folder.ts";
import { safePath } from "../output/safe-path.ts";
import type { PageRow } from "../page-row.ts";
import type { PageRecord } from "../source/export-source.ts";
import { contentOf, mediaOf } from "../source/page-content.ts";
import { PageReading } from "../source/page-reading.ts";
import { type ExportJob, isWanted, passOver } from "./export-job.ts";
import { exportFolder } from "./folder-form.ts";

/** A larger page would take seconds; its text is given instead. */
const HTML_LENGTH_MAX = 2 * 1024 * 1024;
const ELEMENTS_MAX = 50_000;

export async function exportMarkdown(job: ExportJob, folder: PartFolder): Promise<void> {
  const convert = await openConverter();
  const reading = new PageReading();
  const { source, tally } = job;
  await exportFolder(job, folder, async (page) => {
    if (!isWanted(job, page)) return;
    const outcome = page.status < 300 ? await source.record(page) : { kind: "absent" as const };
    if (outcome.kind === "damaged") {
      tally.damaged(page.url, outcome.reason);
      return;
    }
    const text =
      outcome.kind === "absent" ? null : markdownOf(page, outcome.record, reading, convert);
    if (text === null) {
      passOver(job, page, outcome.kind === "record" ? outcome.record : null);
      return;
    }
    folder.write(safePath(page.url, ".md"), Buffer.from(text));
    tally.counts.written += 1;
  });
}

type Convert = (html: string, base: string) => string | null;

/** Null for what is not HTML. */
function markdownOf(
  page: PageRow,
  record: PageRecord,
  reading: PageReading,
  convert: Convert,
): string | null {
  if (!/^(?:text\/html|application\/xhtml\+xml)$/.test(mediaOf(record, page))) return null;
  const read = reading.read(record, page);
  const content = contentOf(record);
  if (read === null || content.kind === "damaged") return null;
  const html = reading.decoded(content.bytes, read);
  const base = documentBase(page.url, read.base, read.encoding);
  const body = html.length > HTML_LENGTH_MAX ? null : convert(html, base);
  const head = { url: page.url, title: read.title, fetched: page.fetchedAt };
  // JSON strings are YAML, too.
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n\n${body ?? read.text}\n`;
}

/**
 * The parts of three packages that are used. Their own declarations need those of a browser and do
 * not compile with ours, so the few shapes are stated here and the modules are loaded by name.
 */
interface Dom {
  readonly documentElement: object | null;
  querySelectorAll(selector: string): Iterable<{
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    removeAttribute(name: string): void;
  }>;
}

interface Linkedom {
  parseHTML(html: string): { readonly document: Dom };
}

interface ReadabilityModule {
  readonly Readability: new (
    document: Dom,
    options: { readonly maxElemsToParse: number },
  ) => { parse(): { readonly content: string | null } | null };
}

interface TurndownModule {
  readonly default: new (options: {
    readonly headingStyle: "atx";
    readonly codeBlockStyle: "fenced";
  }) => { turndown(html: string): string };
}

async function openConverter(): Promise<Convert> {
  const names = ["linkedom", "@mozilla/readability", "turndown"];
  const modules = await Promise.all(names.map((name) => import(name)));
  const [{ parseHTML }, { Readability }, { default: Turndown }] = modules as [
    Linkedom,
    ReadabilityModule,
    TurndownModule,
  ];
  const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
  return (html, base) => {
    try {
      const { document } = parseHTML(html);
      if (document.documentElement === null) return null;
      makeAbsolute(document, base);
      const article = new Readability(document, { maxElemsToParse: ELEMENTS_MAX }).parse();
      const content = article?.content ?? "";
      return content === "" ? null : service.turndown(content);
    } catch {
      // Too many elements, or nested too deeply for the stack.
      return null;
    }
  };
}

function makeAbsolute(document: Dom, base: string): void {
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const url = URL.parse(element.getAttribute(name) ?? "", base);
      if (url === null || !/^https?:$/.test(url.protocol)) element.removeAttribute(name);
      else element.setAttribute(name, url.href);
    }
  }
}
