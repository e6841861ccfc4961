/**
 * Images of a copied site in SVG, which a browser reads as XML and runs when they are opened by
 * themselves, without a policy. So they are read as XML and written anew: only elements of SVG, and
 * of those none that run or embed; no handlers, no doctype, no processing instructions. What follows
 * the first thing that is not well-formed is left out, as browsers do not show it either.
 */
import { createRequire } from "node:module";
import { type RewriteLink, rewriteCss } from "./site-html.ts";

const require = createRequire(import.meta.url);

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const XML = "http://www.w3.org/XML/1998/namespace";

const DROPPED_ELEMENTS: ReadonlySet<string> = new Set([
  ...["script", "handler", "listener", "foreignobject", "iframe", "object", "embed"],
]);
const ANIMATIONS: ReadonlySet<string> = new Set(["set", "animate", "animatecolor"]);

interface Attribute {
  readonly local: string;
  readonly uri: string;
  readonly value: string;
}

interface Tag {
  readonly local: string;
  readonly uri: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** What is used of the package. The compiler's check of libraries refuses its own types. */
interface SaxesParser {
  on(event: "error", heard: (error: Error) => void): void;
  on(event: "doctype" | "text" | "cdata", heard: (text: string) => void): void;
  on(event: "opentag" | "closetag", heard: (tag: Tag) => void): void;
  write(text: string): { close(): void };
  readonly ENTITIES: Record<string, string>;
}

/** Well-formed whatever the text is. `rewrite` is called for every link. */
export function rewriteSvg(svg: string, rewrite: RewriteLink): string {
  return new SvgCopy(rewrite).of(svg);
}

class SvgCopy {
  readonly #rewrite: RewriteLink;
  readonly #pieces: string[] = [];
  readonly #open: string[] = [];
  /** How many elements around here are left out. */
  #dropped = 0;
  #hasEnded = false;

  constructor(rewrite: RewriteLink) {
    this.#rewrite = rewrite;
  }

  of(svg: string): string {
    const { SaxesParser } = require("saxes") as {
      readonly SaxesParser: new (options: { readonly xmlns: true }) => SaxesParser;
    };
    const parser = new SaxesParser({ xmlns: true });
    parser.on("error", () => {
      this.#hasEnded = true;
    });
    parser.on("doctype", (doctype) => {
      for (const [name, value] of plainEntities(doctype)) parser.ENTITIES[name] = value;
    });
    parser.on("opentag", (tag) => this.#begin(tag));
    parser.on("closetag", () => this.#end());
    for (const event of ["text", "cdata"] as const) parser.on(event, (text) => this.#text(text));
    parser.write(svg).close();
    for (const name of this.#open.splice(0).reverse()) this.#pieces.push(`</${name}>`);
    return this.#pieces.length === 0 ? `<svg xmlns="${SVG}"/>` : `${this.#pieces.join("")}\n`;
  }

  #begin({ local, uri, attributes }: Tag): void {
    if (this.#hasEnded) return;
    const all = Object.values(attributes);
    if (this.#dropped > 0 || !isKept(local, uri, all)) {
      this.#dropped += 1;
      return;
    }
    const isRoot = this.#open.length === 0;
    const declared = isRoot ? [` xmlns="${SVG}" xmlns:xlink="${XLINK}"`] : [];
    const written = all.flatMap((attribute) => this.#attribute(attribute));
    this.#pieces.push(`<${local}`, ...declared, ...written, ">");
    this.#open.push(local);
  }

  #end(): void {
    if (this.#hasEnded) return;
    if (this.#dropped > 0) this.#dropped -= 1;
    else this.#pieces.push(`</${this.#open.pop()}>`);
  }

  #text(text: string): void {
    if (this.#hasEnded || this.#dropped > 0 || this.#open.length === 0) return;
    const isStyle = this.#open.at(-1) === "style";
    this.#pieces.push(escaped(isStyle ? rewriteCss(text, this.#rewrite) : text));
  }

  #attribute({ local, uri, value }: Attribute): string[] {
    const name = nameIn(local, uri);
    if (name === null) return [];
    const kept = /^(?:xlink:)?(?:href|src)$/i.test(name)
      ? this.#rewrite(value)
      : /url\(/i.test(value)
        ? rewriteCss(value, this.#rewrite)
        : value;
    return kept === null ? [] : [` ${name}="${escaped(kept)}"`];
  }
}

function isKept(local: string, uri: string, attributes: readonly Attribute[]): boolean {
  const name = local.toLowerCase();
  if (uri !== SVG || DROPPED_ELEMENTS.has(name)) return false;
  if (!ANIMATIONS.has(name)) return true;
  // What sets a link or a handler while the image is shown was not rewritten.
  return attributes.every(
    ({ local: key, value }) => key !== "attributeName" || !/href|^\s*(?:\w+:)?on/i.test(value),
  );
}

/** Null for what is left out: handlers, namespaces of editors, and what would move all links. */
function nameIn(local: string, uri: string): string | null {
  if (/^on/i.test(local) || local === "xmlns") return null;
  if (uri === "") return local;
  if (uri === XLINK) return `xlink:${local}`;
  return uri === XML && local !== "base" ? `xml:${local}` : null;
}

/** Entities that stand for a short text, as drawing programs write them; their text is not read as markup. */
function plainEntities(doctype: string): [name: string, value: string][] {
  const entities = doctype.matchAll(/<!ENTITY\s+([\w.-]+)\s+(["'])([^"'<&%]{0,200})\2\s*>/g);
  return Array.from(entities, ([, name = "", , value = ""]) => [name, value]);
}

function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
