/** What a crawl has kept of its pages, compared with what parse5 reads in their archived bodies. */
import assert from "node:assert/strict";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { decodeText, type EncodingName } from "../../src/formats/charset/index.ts";
import type { PageRow } from "../../src/store/export/index.ts";
import { contentOf } from "../../src/store/export/source/page-content.ts";
import { type CrawlView, openCrawlView } from "../../src/store/query/index.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements whose text no reader sees. */
const HIDDEN: ReadonlySet<string> = new Set([
  "title",
  "head",
  "script",
  "style",
  "template",
  "noframes",
  "iframe",
  "noembed",
]);

export interface ComparedTexts {
  pages: number;
  /** Pages that declare a language, and how many of them are said to have it. */
  declared: number;
  agreed: number;
}

export async function assertTexts(folder: string): Promise<ComparedTexts> {
  const compared: ComparedTexts = { pages: 0, declared: 0, agreed: 0 };
  const view = await openCrawlView(folder);
  try {
    for await (const { pages } of view.pages()) {
      for (const page of pages) await compare(view, page, compared);
    }
  } finally {
    await view.close();
  }
  return compared;
}

async function compare(view: CrawlView, page: PageRow, compared: ComparedTexts): Promise<void> {
  const isHtml = page.mime === "text/html" && page.charset !== null;
  if (!isHtml || page.status >= 300 || page.truncated !== null) return;
  const said = await view.text(page);
  const outcome = await view.record(page);
  if (outcome.kind !== "record") {
    assert.equal(said, null, `${page.url}: what is not archived leaves no text`);
    return;
  }
  const content = contentOf(outcome.record);
  if (content.kind !== "content" || content.bytes.length === 0) return;
  const document = parse(decodeText(content.bytes, page.charset as EncodingName), {
    scriptingEnabled: false,
  });
  const html = document.childNodes.find((node) => node.nodeName === "html");
  assert(html !== undefined && "attrs" in html, "a document has its root");
  assert.equal(compact(said?.text ?? ""), compact(textIn(html)), `the text of ${page.url}`);
  assert.equal(compact(said?.title ?? ""), compact(titleIn(html)), `the title of ${page.url}`);
  // A page that says nothing has nothing kept.
  if (said?.text || said?.title) {
    assert.equal(said.kept?.charset ?? null, page.charset);
    assert.equal(said.kept?.language || null, page.language);
  }
  compared.pages += 1;
  // Pages of traps declare none; a short text may be taken for another language.
  const declared = html.attrs.find(({ name }) => name === "lang");
  if (declared === undefined) return;
  compared.declared += 1;
  compared.agreed += page.language === declared.value ? 1 : 0;
}

function textIn(node: Node): string {
  if (HIDDEN.has(node.nodeName)) return "";
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textIn).join("") : "";
}

function titleIn(node: Node): string {
  if (node.nodeName === "title" && "childNodes" in node)
    return node.childNodes.map(textIn).join("");
  if (!("childNodes" in node)) return "";
  for (const child of node.childNodes) {
    const title = titleIn(child);
    if (title !== "") return title;
  }
  return "";
}

/** White space is folded differently. */
function compact(text: string): string {
  return text.replace(/\s+/gu, "");
}
