/** What the head of a page says about it: the first of each kind counts. */
import { hasRel } from "../link/index.ts";
import { ATTRIBUTE } from "./attribute-names.ts";
import type { AttributeSlots } from "./attribute-slots.ts";
import { TAG } from "./elements.ts";
import { refreshUrl } from "./links/refresh.ts";
import type { RobotsMeta } from "./page.ts";

/** Further `<meta name=robots>` are ignored. */
const ROBOTS_MAX = 64;
const CANONICAL: ReadonlySet<string> = new Set(["canonical"]);

export class HeadFacts {
  readonly #attributes: AttributeSlots;
  readonly #robotsNames: ReadonlySet<string>;
  readonly robots: RobotsMeta[] = [];
  base: string | undefined;
  canonical: string | undefined;
  description = "";
  language = "";

  constructor(attributes: AttributeSlots, robotsNames: ReadonlySet<string>) {
    this.#attributes = attributes;
    this.#robotsNames = robotsNames;
  }

  /** Takes a start tag; returns the URL of a refresh, "" for everything else. */
  startTag(id: number): string {
    const attributes = this.#attributes;
    if (id === TAG.meta) return this.#meta();
    if (id === TAG.base) {
      if (attributes.has(ATTRIBUTE.href)) this.base ??= attributes.string(ATTRIBUTE.href);
    } else if (id === TAG.link) this.#link();
    else if (id === TAG.html && this.language === "") this.#language();
    return "";
  }

  #link(): void {
    const attributes = this.#attributes;
    if (this.canonical !== undefined || !attributes.has(ATTRIBUTE.href)) return;
    if (!hasRel(attributes.string(ATTRIBUTE.rel), CANONICAL)) return;
    this.canonical = attributes.string(ATTRIBUTE.href);
  }

  #language(): void {
    const attributes = this.#attributes;
    const name = attributes.has(ATTRIBUTE.lang) ? ATTRIBUTE.lang : ATTRIBUTE["xml:lang"];
    this.language = attributes.string(name);
  }

  #meta(): string {
    const attributes = this.#attributes;
    if (!attributes.has(ATTRIBUTE.content)) return "";
    if (attributes.lowerCase(ATTRIBUTE["http-equiv"]) === "refresh") {
      return refreshUrl(attributes.string(ATTRIBUTE.content)) ?? "";
    }
    const name = attributes.lowerCase(ATTRIBUTE.name);
    if (name === "description" && this.description === "") {
      this.description = attributes.string(ATTRIBUTE.content);
    } else if (this.#robotsNames.has(name) && this.robots.length < ROBOTS_MAX) {
      this.robots.push({ name, content: attributes.string(ATTRIBUTE.content) });
    }
    return "";
  }
}
