/**
 * The links of a page by parse5: its parser, which builds the whole tree, watched at the place where
 * its tokenizer hands over start tags. A tag whose element the tree builder drops (a `frame` outside
 * a frameset, a form inside a form) still counts, as the kind of element it would have been. A sink
 * may listen: it is told what our own parser should tell it.
 */
import {
  type DefaultTreeAdapterMap,
  defaultTreeAdapter,
  html,
  InsertionMode,
  Parser,
  type Token,
} from "parse5";
import { type PageSink, tagNumber } from "../../../src/formats/html/index.ts";
import { refreshUrl } from "../../../src/formats/html/links/refresh.ts";
import { srcsetUrls } from "../../../src/formats/html/links/srcset.ts";
import type { LinkKind } from "../../../src/formats/link/index.ts";

export interface OtherPage {
  /** `kind url`, in document order. */
  readonly links: readonly string[];
  readonly base: string | undefined;
  /** Why the page may be read otherwise. */
  readonly exceptions: ReadonlySet<Exception>;
}

/**
 * `cdata`: parse5 leaves the standard, by which a CDATA section may stand in an integration point.
 * `misnested`: inside SVG or MathML there is an end tag that is not the current element's, or a part
 * of a table begins. What that closes depends on the whole stack of open elements, of which we keep
 * only a part; to keep all of it would cost every page for the sake of a few broken ones.
 */
export type Exception = "cdata" | "misnested";

type Attributes = ReadonlyMap<string, string>;

const URL_ATTRIBUTE: Readonly<Record<string, [kind: LinkKind, attribute: string]>> = {
  a: ["a", "href"],
  area: ["area", "href"],
  audio: ["audio", "src"],
  embed: ["embed", "src"],
  form: ["form", "action"],
  frame: ["frame", "src"],
  iframe: ["iframe", "src"],
  img: ["img", "src"],
  link: ["link", "href"],
  object: ["object", "data"],
  script: ["script", "src"],
  source: ["source", "src"],
  track: ["track", "src"],
  video: ["video", "src"],
};

const TABLE_PARTS = new Set([
  "caption",
  "col",
  "colgroup",
  "tbody",
  "td",
  "tfoot",
  "th",
  "thead",
  "tr",
]);

class WatchedParser extends Parser<DefaultTreeAdapterMap> {
  readonly found: string[] = [];
  readonly exceptions = new Set<Exception>();
  base: string | undefined;
  /** The namespace of the element that the current tag became; undefined when it was dropped. */
  #namespace: html.NS | undefined;
  #attributes: Token.Attribute[] = [];
  #page = "";
  #sink: PageSink | undefined;
  /** The parser may take a token twice. */
  #toldTo = 0;

  static read(page: string, sink?: PageSink): OtherPage {
    let parser: WatchedParser | undefined;
    const options = {
      scriptingEnabled: false,
      sourceCodeLocationInfo: sink !== undefined,
      treeAdapter: {
        ...defaultTreeAdapter,
        createElement(name: string, namespace: html.NS, attributes: Token.Attribute[]) {
          parser?.created(namespace, attributes);
          return defaultTreeAdapter.createElement(name, namespace, attributes);
        },
      },
    };
    parser = new WatchedParser(options);
    parser.#mendTableScope();
    parser.#page = page;
    parser.#sink = sink;
    parser.tokenizer.write(page, true);
    return { links: parser.found, base: parser.base, exceptions: parser.exceptions };
  }

  created(namespace: html.NS, attributes: Token.Attribute[]): void {
    if (attributes === this.#attributes) this.#namespace = namespace;
  }

  override onStartTag(token: Token.TagToken): void {
    const before = this.insertionMode;
    this.#tell(token, (sink) => this.#tellStart(token, sink));
    if (TABLE_PARTS.has(token.tagName) && this.#isInForeign()) this.exceptions.add("misnested");
    const attributes = new Map(token.attrs.map((one) => [nameOf(one), one.value]));
    this.#namespace = undefined;
    this.#attributes = token.attrs;
    super.onStartTag(token);
    this.#allowInSelect(before);
    if (this.#namespace === undefined || this.#namespace === html.NS.HTML) {
      this.#htmlTag(token.tagName === "image" ? "img" : token.tagName, attributes);
    } else this.#foreignTag(token.tagName, attributes);
  }

  override onEndTag(token: Token.TagToken): void {
    this.#tell(token, (sink) => sink.closeTag(tagNumber(token.tagName)));
    const current = this.openElements.current as DefaultTreeAdapterMap["element"] | undefined;
    const isCurrent = current?.tagName?.toLowerCase() === token.tagName;
    if (!isCurrent && this.#isInForeign()) this.exceptions.add("misnested");
    super.onEndTag(token);
    this.#allowInSelect(InsertionMode.IN_BODY);
  }

  override onCharacter(token: Token.CharacterToken): void {
    this.#tell(token, (sink) => this.#tellText(token, sink));
    super.onCharacter(token);
  }

  override onNullCharacter(token: Token.CharacterToken): void {
    this.#tell(token, (sink) => this.#tellText(token, sink));
    super.onNullCharacter(token);
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.#tell(token, (sink) => this.#tellText(token, sink));
    super.onWhitespaceCharacter(token);
  }

  #tell(token: Token.Token, how: (sink: PageSink) => void): void {
    const end = token.location?.endOffset ?? 0;
    if (this.#sink === undefined || end <= this.#toldTo) return;
    this.#toldTo = end;
    how(this.#sink);
  }

  #tellText(token: Token.CharacterToken, sink: PageSink): void {
    const { startOffset = 0, endOffset = 0 } = token.location ?? {};
    const bytes = Buffer.from(this.#page.slice(startOffset, endOffset));
    sink.text(bytes, 0, bytes.length);
  }

  #tellStart(token: Token.TagToken, sink: PageSink): void {
    sink.openTag(tagNumber(token.tagName));
    const place = /^i?frame$/.test(token.tagName) ? token.location?.attrs?.["src"] : undefined;
    if (place === undefined) return;
    const written = this.#page.slice(place.startOffset, place.endOffset);
    const value = /=[\t\n\f\r ]*(["']?)([\s\S]*)\1$/.exec(written)?.[2] ?? "";
    const bytes = Buffer.from(value);
    sink.frameSource(bytes, 0, bytes.length);
  }

  override onComment(token: Token.CommentToken): void {
    const current = this.openElements.current as DefaultTreeAdapterMap["element"] | undefined;
    const isForeign = current?.namespaceURI !== undefined && current.namespaceURI !== html.NS.HTML;
    if (token.data.startsWith("[CDATA[") && isForeign) this.exceptions.add("cdata");
    super.onComment(token);
  }

  #isInForeign(): boolean {
    const { items, stackTop } = this.openElements;
    const open = items.slice(0, stackTop + 1) as DefaultTreeAdapterMap["element"][];
    return open.some((element) => element.namespaceURI !== html.NS.HTML);
  }

  /** By the standard the scope of a table's end tag ends at a template; for parse5 it does not. */
  #mendTableScope(): void {
    const stack = this.openElements;
    stack.hasInTableScope = (wanted) => {
      for (let index = stack.stackTop; index >= 0; index--) {
        const id = stack.tagIDs[index];
        const element = stack.items[index] as DefaultTreeAdapterMap["element"];
        if (element.namespaceURI !== html.NS.HTML) continue;
        if (id === wanted) return true;
        if (id === html.TAG_ID.TABLE || id === html.TAG_ID.TEMPLATE) return false;
      }
      return false;
    };
  }

  /** parse5 still has the insertion modes for `select` that the standard has given up. */
  #allowInSelect(before: InsertionMode): void {
    if (this.insertionMode === InsertionMode.IN_SELECT) this.insertionMode = InsertionMode.IN_BODY;
    if (this.insertionMode === InsertionMode.IN_SELECT_IN_TABLE) this.insertionMode = before;
  }

  #add(kind: LinkKind, url: string | undefined): void {
    if (url === undefined) return;
    const bare = url.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
    if (bare !== "" || kind === "a" || kind === "area") this.found.push(`${kind} ${bare}`);
  }

  #htmlTag(name: string, attributes: Attributes): void {
    if (name === "meta" && attributes.get("http-equiv")?.toLowerCase() === "refresh") {
      if (this.openElements.tmplCount > 0) return;
      this.#add("refresh", refreshUrl(attributes.get("content") ?? ""));
    }
    if (name === "base" && this.#namespace !== undefined && this.openElements.tmplCount === 0) {
      this.base ??= attributes.get("href")?.trim();
    }
    const rel = (attributes.get("rel") ?? "").toLowerCase().trim();
    if (
      name === "link" &&
      /^(?:dns-prefetch|preconnect)(?:\s+(?:dns-prefetch|preconnect))*$/.test(rel)
    ) {
      return;
    }
    const rule = Object.hasOwn(URL_ATTRIBUTE, name) ? URL_ATTRIBUTE[name] : undefined;
    if (rule !== undefined) this.#add(rule[0], attributes.get(rule[1]));
    if (name === "img" || name === "source") {
      const urls = srcsetUrls(attributes.get("srcset") ?? "");
      for (const url of urls) this.#add(name, url);
    }
    if (name === "video") this.#add("video", attributes.get("poster"));
    if (name === "input" && attributes.get("type")?.toLowerCase() === "image") {
      this.#add("input", attributes.get("src"));
    }
  }

  #foreignTag(name: string, attributes: Attributes): void {
    const url = attributes.get("href") ?? attributes.get("xlink:href");
    if (name === "a" || name === "script") this.#add(name, url);
    if (name === "image") this.#add("img", url);
  }
}

/** Inside SVG parse5 splits prefixes off; the page wrote them together. */
function nameOf(attribute: Token.Attribute): string {
  return attribute.prefix ? `${attribute.prefix}:${attribute.name}` : attribute.name;
}

export function otherPage(page: string, sink?: PageSink): OtherPage {
  return WatchedParser.read(page, sink);
}
