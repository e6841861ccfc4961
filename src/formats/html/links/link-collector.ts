/** Adds the links of one start tag after another to the link list. */
import { cssUrls } from "../../css/index.ts";
import { isConnectionHint, LINK_KINDS, type LinkKind } from "../../link/index.ts";
import { ATTRIBUTE } from "../attribute-names.ts";
import type { AttributeSlots } from "../attribute-slots.ts";
import { TAG } from "../elements.ts";
import { LinkList } from "./link-list.ts";
import { kindNumber, NO_KIND, URL_ATTRIBUTE } from "./link-rules.ts";
import { srcsetUrls } from "./srcset.ts";

const A = kindNumber("a");
const AREA = kindNumber("area");
const FORM = kindNumber("form");
const IMG = kindNumber("img");
const STYLE = kindNumber("style");
const NO_LINK = -1;

export class LinkCollector {
  readonly list: LinkList;
  readonly #attributes: AttributeSlots;
  readonly #kinds: Uint8Array;
  readonly #asksForForms: boolean;
  readonly #asksForStyles: boolean;

  /** `kinds`: by element id, the number of the kind of link that is asked for, else `NO_KIND`. */
  constructor(
    attributes: AttributeSlots,
    options: {
      kinds: Uint8Array;
      asksForForms: boolean;
      asksForStyles: boolean;
      linksMax: number;
    },
  ) {
    this.#attributes = attributes;
    this.list = new LinkList(options.linksMax);
    this.#kinds = options.kinds;
    this.#asksForForms = options.asksForForms;
    this.#asksForStyles = options.asksForStyles;
  }

  /** The index of the link of an `a` element, for its text to follow; -1 for anything else. */
  startTag(id: number): number {
    const kind = this.#kinds[id] as number;
    const attributes = this.#attributes;
    if (this.#asksForStyles) this.#styles();
    if (id === TAG.a) return kind === NO_KIND ? NO_LINK : this.#add(kind, ATTRIBUTE.href);
    if (id === TAG.button || id === TAG.input) this.#formAction();
    if (kind === NO_KIND) return NO_LINK;
    if (id === TAG.link && isConnectionHint(attributes.string(ATTRIBUTE.rel))) return NO_LINK;
    if (id === TAG.input && attributes.lowerCase(ATTRIBUTE.type) !== "image") return NO_LINK;
    this.#add(kind, URL_ATTRIBUTE[id] as number);
    if (id === TAG.img || id === TAG.image || id === TAG.source) {
      this.#srcset(kind, ATTRIBUTE.srcset);
    }
    if (id === TAG.video) this.#add(kind, ATTRIBUTE.poster);
    if (id === TAG.link && this.#asksForStyles) this.#srcset(IMG, ATTRIBUTE.imagesrcset);
    return NO_LINK;
  }

  /** The same for SVG, where `a`, `image` and `script` link by `href` or the older `xlink:href`. */
  foreignTag(id: number): number {
    if (this.#asksForStyles) this.#styles();
    const kind = this.#kinds[id] as number;
    const isLink = id === TAG.a || id === TAG.image || id === TAG.script;
    if (!isLink || kind === NO_KIND) return NO_LINK;
    const hasHref = this.#attributes.has(ATTRIBUTE.href);
    const index = this.#add(kind, hasHref ? ATTRIBUTE.href : ATTRIBUTE["xlink:href"]);
    return id === TAG.a ? index : NO_LINK;
  }

  /** The URLs of a style sheet inside the page. */
  addStyle(css: string): void {
    cssUrls(Buffer.from(css), (url) => this.addString("style", url));
  }

  /** A link whose URL was found inside some other text. */
  addString(kind: LinkKind, url: string): void {
    const bare = url.trim();
    if (bare === "" || !this.list.tryBegin()) return;
    this.list.strings.pushString(bare);
    this.list.add(kindNumber(kind), this.list.strings.length);
  }

  #add(kind: number, attribute: number): number {
    const attributes = this.#attributes;
    const list = this.list;
    if (!attributes.has(attribute) || !list.tryBegin()) return NO_LINK;
    const isWritten = attributes.writeTo(attribute, list.strings);
    if (!isWritten) list.tooLong += 1;
    const urlTo = list.strings.length;
    // An empty `href` of `a` leads to the page itself; elsewhere an empty URL means nothing.
    if (!isWritten || (list.isEmpty() && kind !== A && kind !== AREA)) {
      list.cancel();
      return NO_LINK;
    }
    attributes.writeTo(ATTRIBUTE.rel, list.strings);
    return list.add(kind, urlTo);
  }

  #formAction(): void {
    if (this.#asksForForms) this.#add(FORM, ATTRIBUTE.formaction);
  }

  #styles(): void {
    const attributes = this.#attributes;
    if (attributes.has(ATTRIBUTE.style)) this.addStyle(attributes.string(ATTRIBUTE.style));
    if (attributes.has(ATTRIBUTE.background)) this.#add(STYLE, ATTRIBUTE.background);
  }

  #srcset(kind: number, attribute: number): void {
    if (!this.#attributes.has(attribute)) return;
    const name = LINK_KINDS[kind] as LinkKind;
    for (const url of srcsetUrls(this.#attributes.string(attribute))) {
      this.addString(name, url);
    }
  }
}
