/**
 * Finds the entries in the elements of a sitemap, RSS or Atom file.
 *
 * Namespaces are not trusted, since half of the files get them wrong: an element is recognised by
 * its local name and its position. An *item* is a `url`, `sitemap`, `item` or `entry`; its *fields*
 * are the elements directly inside it. So the `image:loc` of a picture, deeper inside, is not
 * mistaken for the page's `loc`. An unclosed element ends with the element around it, a field also
 * with the next tag, an item with the next item; a closing tag without an opening one is ignored.
 */
import { withoutEntities } from "./entities.ts";
import type { EntryCollector } from "./sitemap-entry.ts";
import { TextCapture } from "./text-capture.ts";
import type { XmlTarget } from "./xml-scanner.ts";

export type XmlForm = "urlset" | "index" | "rss" | "atom" | "html" | "unknown";

const FORM_BY_ROOT: ReadonlyMap<string, XmlForm> = new Map([
  ["urlset", "urlset"],
  ["url", "urlset"],
  ["sitemapindex", "index"],
  ["sitemap", "index"],
  ["rss", "rss"],
  ["rdf", "rss"],
  ["channel", "rss"],
  ["feed", "atom"],
  ["html", "html"],
]);

/** The names of items, by the form of the file: in RSS, the `url` of a picture is not an item. */
const ITEMS: Readonly<Record<XmlForm, ReadonlySet<string>>> = {
  urlset: new Set(["url", "sitemap"]),
  index: new Set(["url", "sitemap"]),
  unknown: new Set(["url", "sitemap"]),
  rss: new Set(["item"]),
  atom: new Set(["entry"]),
  html: new Set(),
};

/** Fields whose text may be the URL of the item; `text` is that of the item itself. */
type UrlField = "url" | "link" | "guid" | "text";

/** `other`: its text is not wanted, but like every field it ends with the next tag. */
type Field = UrlField | "other";

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ["loc", "url"],
  ["link", "link"],
  ["guid", "guid"],
  ["lastmod", "other"],
  ["changefreq", "other"],
  ["priority", "other"],
  ["pubdate", "other"],
  ["date", "other"],
  ["updated", "other"],
]);

/** Prefixes of extensions whose elements are not about the page itself. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  "image video news mobile media itunes content pagemap geo".split(" "),
);

/** Deeper nesting inside an item is only counted. */
const DEPTH_MAX = 32;
const ALTERNATES_MAX = 256;
const ATTRIBUTES_MAX = 32;

interface Item {
  readonly name: string;
  /** The text of each field; null when there was none. */
  readonly texts: Record<UrlField, string | null>;
  readonly alternates: string[];
  tooLong: boolean;
  /** The RDF name of an item, which is its URL. */
  about: string;
}

export class SitemapGrammar implements XmlTarget {
  readonly #collector: EntryCollector;
  readonly #capture: TextCapture;
  form: XmlForm | null = null;
  #item: Item | null = null;
  /** The open elements inside the item, from the outside in. */
  readonly #open: string[] = [];
  #tooDeep = 0;
  /** The field that is open. */
  #field: Field | null = null;
  /** The tag being read, and its attributes when they are wanted. */
  #tag = "";
  readonly #attributes = new Map<string, string>();

  constructor(collector: EntryCollector, textBytesMax: number) {
    this.#collector = collector;
    this.#capture = new TextCapture(textBytesMax);
  }

  open(name: string, prefix: string): boolean {
    this.form ??= FORM_BY_ROOT.get(name) ?? "unknown";
    this.#endField();
    this.#tag = name;
    if (this.#attributes.size > 0) this.#attributes.clear();
    const extension = prefix !== "" && EXTENSIONS.has(prefix);
    if (!extension && ITEMS[this.form].has(name)) {
      this.#endItem();
      this.#item = newItem(name);
      return true;
    }
    if (this.#item === null) return false;
    const direct = this.#open.length === 0 && !extension;
    this.#push(name);
    this.#field = direct ? (FIELDS.get(name) ?? null) : null;
    return this.#field === "link";
  }

  attribute(name: string, value: string): void {
    // If an attribute is repeated, the first one counts.
    if (this.#attributes.has(name) || this.#attributes.size === ATTRIBUTES_MAX) return;
    this.#attributes.set(name, withoutEntities(value));
  }

  opened(selfClosing: boolean): void {
    if (this.#item === null) return;
    const isItem = this.#open.length === 0;
    if (isItem) this.#item.about = this.#attributes.get("rdf:about") ?? "";
    else if (this.#field === "link") this.#takeLink();
    if (selfClosing) this.#close(this.#tag, false);
    else if (isItem) this.#field = "text";
  }

  close(name: string, prefix: string): void {
    this.#close(name, EXTENSIONS.has(prefix));
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isCapturing()) this.#capture.add(bytes, from, to);
  }

  literal(bytes: Uint8Array, from: number, to: number): void {
    if (this.#isCapturing()) this.#capture.addLiteral(bytes, from, to);
  }

  #isCapturing(): boolean {
    return this.#field !== null && this.#field !== "other";
  }

  /** The end of the file. A text that no tag has ended may be incomplete and is not used. */
  end(): void {
    this.#field = null;
    if (this.#item !== null && urlOf(this.#item) !== null) this.#endItem();
  }

  #push(name: string): void {
    if (this.#open.length < DEPTH_MAX) this.#open.push(name);
    else this.#tooDeep += 1;
  }

  #close(name: string, extension: boolean): void {
    this.#endField();
    if (this.#item === null) return;
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1;
      return;
    }
    const position = this.#open.lastIndexOf(name);
    if (position !== -1) this.#open.length = position;
    else if (!extension && (name === this.#item.name || ROOTS.has(name))) this.#endItem();
    // The text of the item itself counts where `loc` was forgotten.
    if (this.#item !== null && this.#open.length === 0) this.#field = "text";
  }

  /** A field has no elements inside: it ends with the next tag, whatever that is. */
  #endField(): void {
    const field = this.#field;
    if (field === null || this.#item === null) return;
    this.#field = null;
    if (field !== "text") this.#open.length = 0;
    if (field === "other") return;
    const { tooLong } = this.#capture;
    const text = this.#capture.take();
    if (text === "" || this.#item.texts[field] !== null) return;
    this.#item.texts[field] = withoutEntities(text);
    this.#item.tooLong ||= tooLong && field !== "text";
  }

  /** A link by attribute: Atom's, or the same page in another language. */
  #takeLink(): void {
    const url = this.#attributes.get("href");
    const relations = (this.#attributes.get("rel") ?? "alternate").toLowerCase().split(/\s+/);
    const item = this.#item;
    if (url === undefined || url === "" || item === null || !relations.includes("alternate"))
      return;
    const isPage = this.form === "atom" || this.form === "rss";
    if (isPage && item.texts.link === null) item.texts.link = url;
    else if (item.alternates.length < ALTERNATES_MAX) item.alternates.push(url);
  }

  #endItem(): void {
    const item = this.#item;
    this.#item = null;
    this.#open.length = 0;
    this.#tooDeep = 0;
    this.#field = null;
    this.#capture.clear();
    if (item === null) return;
    const { tooLong, alternates } = item;
    const kind = item.name === "sitemap" ? "sitemap" : "page";
    this.#collector.add({ kind, url: urlOf(item), tooLong, alternates });
  }
}

function newItem(name: string): Item {
  const texts = { url: null, link: null, guid: null, text: null };
  return { name, texts, alternates: [], tooLong: false, about: "" };
}

const ROOTS: ReadonlySet<string> = new Set([
  "urlset",
  "sitemapindex",
  "channel",
  "rss",
  "feed",
  "rdf",
]);

/** `loc`; else the link of a feed, a guid that is a URL, the RDF name, or the bare text. */
function urlOf(item: Item): string | null {
  const { texts } = item;
  if (texts.url !== null) return texts.url;
  return texts.link ?? [texts.guid, item.about, texts.text].find(isUrl) ?? null;
}

function isUrl(text: string | null): boolean {
  return text !== null && /^https?:\/\//i.test(text);
}
