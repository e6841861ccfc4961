/**
 * What a page declares of itself for those who index it, collected only on request: where else it is
 * (alternates), when it was published and modified, and the types of its JSON-LD. Dates are declared in
 * many ways; the more deliberate ones count first, and of those the first in the page.
 */
import { hasRel } from "../link/index.ts";
import { ATTRIBUTE } from "./attribute-names.ts";
import type { AttributeSlots } from "./attribute-slots.ts";
import { isoDate } from "./dates.ts";
import { TAG } from "./elements.ts";
import { type LinkedData, linkedData } from "./linked-data.ts";
import type { Alternate, Declared } from "./page.ts";

const ALTERNATES_MAX = 256;
const TYPES_MAX = 64;
const ALTERNATE: ReadonlySet<string> = new Set(["alternate"]);
const STYLE_SHEET: ReadonlySet<string> = new Set(["stylesheet"]);

/** Ways to declare a date; a smaller number counts more. */
const BY_LINKED_DATA = 0;
const BY_META = 1;
const BY_TIME = 2;
/** A `time` that does not say what it is the time of. */
const BY_ANY_TIME = 3;

const PUBLISHED: ReadonlySet<string> = new Set([
  ...["article:published_time", "og:article:published_time", "datepublished", "date", "pubdate"],
  ...["publishdate", "publish_date", "publication_date", "parsely-pub-date", "dc.date"],
  ...["dc.date.issued", "dc.date.created", "dcterms.date", "dcterms.issued", "dcterms.created"],
]);
const MODIFIED: ReadonlySet<string> = new Set([
  ...["article:modified_time", "og:article:modified_time", "og:updated_time", "datemodified"],
  ...["last-modified", "lastmod", "revised", "dc.date.modified", "dcterms.modified"],
]);

/** The date that was declared best so far. */
class BestDate {
  text = "";
  #way = Number.POSITIVE_INFINITY;

  offer(written: string, way: number): void {
    if (way >= this.#way) return;
    const date = isoDate(written);
    if (date === "") return;
    this.text = date;
    this.#way = way;
  }
}

export class DeclaredFacts {
  readonly #attributes: AttributeSlots;
  readonly #alternates: Alternate[] = [];
  readonly #types = new Set<string>();
  readonly #published = new BestDate();
  readonly #modified = new BestDate();

  constructor(attributes: AttributeSlots) {
    this.#attributes = attributes;
  }

  /** Takes a start tag of the document. */
  startTag(id: number): void {
    if (id === TAG.meta) this.#meta();
    else if (id === TAG.link) this.#link();
    else if (id === TAG.time) this.#time();
  }

  /** Whether the script that begins is JSON-LD. */
  get isLinkedData(): boolean {
    return this.#attributes.lowerCase(ATTRIBUTE.type) === "application/ld+json";
  }

  /** Takes the text of a script that is JSON-LD. */
  script(text: string): void {
    this.#take(linkedData(text));
  }

  finish(): Declared {
    return {
      alternates: this.#alternates,
      published: this.#published.text,
      modified: this.#modified.text,
      types: [...this.#types],
    };
  }

  #link(): void {
    const attributes = this.#attributes;
    if (this.#alternates.length >= ALTERNATES_MAX || !attributes.has(ATTRIBUTE.href)) return;
    const rel = attributes.string(ATTRIBUTE.rel);
    if (!hasRel(rel, ALTERNATE) || hasRel(rel, STYLE_SHEET)) return;
    this.#alternates.push({
      url: attributes.string(ATTRIBUTE.href),
      language: attributes.string(ATTRIBUTE.hreflang),
      type: attributes.lowerCase(ATTRIBUTE.type),
    });
  }

  #meta(): void {
    const attributes = this.#attributes;
    if (!attributes.has(ATTRIBUTE.content)) return;
    for (const name of META_NAMES) {
      if (!attributes.has(name)) continue;
      const said = attributes.lowerCase(name);
      if (PUBLISHED.has(said)) this.#published.offer(attributes.string(ATTRIBUTE.content), BY_META);
      if (MODIFIED.has(said)) this.#modified.offer(attributes.string(ATTRIBUTE.content), BY_META);
    }
  }

  #time(): void {
    const attributes = this.#attributes;
    if (!attributes.has(ATTRIBUTE.datetime)) return;
    const what = attributes.lowerCase(ATTRIBUTE.itemprop);
    const date = attributes.string(ATTRIBUTE.datetime);
    if (what === "datemodified") this.#modified.offer(date, BY_TIME);
    else if (what === "datepublished" || attributes.has(ATTRIBUTE.pubdate)) {
      this.#published.offer(date, BY_TIME);
    } else if (what === "") this.#published.offer(date, BY_ANY_TIME);
  }

  #take({ types, published, modified }: LinkedData): void {
    for (const type of types) if (this.#types.size < TYPES_MAX) this.#types.add(type);
    this.#published.offer(published, BY_LINKED_DATA);
    this.#modified.offer(modified, BY_LINKED_DATA);
  }
}

const META_NAMES = [
  ATTRIBUTE.property,
  ATTRIBUTE.name,
  ATTRIBUTE.itemprop,
  ATTRIBUTE["http-equiv"],
];
