/**
 * The main content of an HTML page as Markdown. It is found by `@mozilla/readability` on the DOM of
 * `linkedom` and converted by `turndown`; all three are loaded when the first page needs them. Pages in
 * which no main content is found are given as plain text. The work takes milliseconds, for long pages
 * up to seconds.
 */
import { documentBase } from "../../../formats/html/index.ts";
import { PageReading } from "./page-reading.ts";

/** In characters. A longer page would take many seconds. */
const HTML_LENGTH_MAX = 2 * 1024 * 1024;
const ELEMENTS_MAX = 50_000;
/** The packages' time grows with the square of the depth: minutes for 20,000 elements. */
const DEPTH_MAX = 500;

export interface HtmlSource {
  readonly url: string;
  /** As the answer states it. */
  readonly contentType: string;
  /** Without content encodings. */
  readonly bytes: Uint8Array;
}

export interface MainContent {
  readonly title: string;
  readonly markdown: string;
  /** Whether the page is too long, has too many elements, or made the conversion fail: its text is given instead. */
  readonly isRefused: boolean;
}

export type ReadMainContent = (source: HtmlSource) => MainContent;

/** Whether an answer of this type has main content. */
export function isHtmlMedia(media: string): boolean {
  return media === "text/html" || media === "application/xhtml+xml";
}

/** The function that it gives does not throw. */
export async function openMainContent(): Promise<ReadMainContent> {
  const convert = await openConverter();
  const reading = new PageReading();
  return ({ url, contentType, bytes }) => {
    const page = reading.html(bytes, contentType);
    const { title, text, encoding } = page;
    const html = reading.decoded(bytes, page);
    if (html.length > HTML_LENGTH_MAX) return { title, markdown: text, isRefused: true };
    const body = convert(html, documentBase(url, page.base, encoding));
    return body.ok
      ? { title, markdown: body.markdown ?? text, isRefused: false }
      : { title, markdown: text, isRefused: true };
  };
}

/** Without main content the Markdown is null. */
type Conversion = { readonly ok: true; readonly markdown: string | null } | { readonly ok: false };

/**
 * The parts of three packages that are used. Their own declarations need those of a browser and do
 * not compile with ours, so the few shapes are stated here and the modules are loaded by name.
 */
interface Dom {
  readonly documentElement: Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

interface Element {
  readonly firstElementChild: Element | null;
  readonly nextElementSibling: Element | null;
  readonly parentElement: Element | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}

interface Linkedom {
  parseHTML(html: string): { readonly document: Dom };
}

interface ReadabilityModule {
  readonly Readability: new (
    document: Dom,
  ) => { parse(): { readonly content: string | null } | null };
}

interface TurndownModule {
  readonly default: new (options: {
    readonly headingStyle: "atx";
    readonly codeBlockStyle: "fenced";
  }) => { turndown(html: string): string };
}

async function openConverter(): Promise<(html: string, base: string) => Conversion> {
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
      const { document } = parseHTML(withBody(html));
      if (document.documentElement === null) return { ok: true, markdown: null };
      if (!isSmall(document.documentElement)) return { ok: false };
      makeAbsolute(document, base);
      const article = new Readability(document).parse();
      const content = article?.content ?? "";
      return { ok: true, markdown: content === "" ? null : service.turndown(content) };
    } catch {
      // Nested too deeply for the stack, or a fault of a package.
      return { ok: false };
    }
  };
}

/** The tags of `html`, `head` and `body` may be left out, but the DOM does not add these elements. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  const bare = html.replace(/<(?:!doctype|\/?(?:html|head)\b)[^>]*>|<title>[^<]*<\/title>/gi, "");
  return `<!doctype html><html><head></head><body>${bare}</body></html>`;
}

function isSmall(root: Element): boolean {
  let count = 0;
  let depth = 0;
  for (let element: Element | null = root; element !== null; ) {
    count += 1;
    if (count > ELEMENTS_MAX || depth > DEPTH_MAX) return false;
    if (element.firstElementChild !== null) {
      element = element.firstElementChild;
      depth += 1;
      continue;
    }
    while (element !== root && element !== null && element.nextElementSibling === null) {
      element = element.parentElement;
      depth -= 1;
    }
    element = element === root ? null : (element?.nextElementSibling ?? null);
  }
  return true;
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
