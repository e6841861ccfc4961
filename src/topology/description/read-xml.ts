/**
 * XML as a tree of elements, each part with its place. Only the plain part of XML is read: elements,
 * attributes, comments and the five entities of XML. Doctypes, processing instructions and text between
 * elements are refused with their places: a topology needs none of them, and a doctype has been a way to
 * make a parser explode. The first thing that is not well-formed ends the reading, because what a parser
 * says after it is guessing.
 */
import { createRequire } from "node:module";
import type { Location, MistakeList } from "../../rules/settings/index.ts";
import { addMistake } from "./add-mistake.ts";
import type { Written } from "./topology-description.ts";

export interface XmlElement {
  readonly name: Written;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
}

export interface XmlAttribute {
  readonly name: Written;
  /** Without references to characters; line ends and tabs are spaces. */
  readonly value: Written;
}

const require = createRequire(import.meta.url);

type Bare = "doctype" | "processinginstruction" | "opentag" | "closetag" | "comment";

/** What is used of the package. The compiler's check of libraries refuses its own types. */
interface SaxesParser {
  on(event: "error", heard: (error: Error) => void): void;
  on(event: "xmldecl", heard: (declaration: { readonly encoding?: string }) => void): void;
  on(event: Bare, heard: () => void): void;
  on(event: "text" | "cdata", heard: (text: string) => void): void;
  on(event: "opentagstart", heard: (tag: { readonly name: string }) => void): void;
  on(
    event: "attribute",
    heard: (attribute: { readonly name: string; readonly value: string }) => void,
  ): void;
  write(text: string): { close(): void };
  /** Of the next character, from 0. */
  readonly position: number;
}

const DEPTH_MAX = 16;
const PARTS_MAX = 100_000;

/** Null when the text is not well-formed, or has what is not read here; a mistake has been added. */
export function readXml(
  text: string,
  locationAt: (line: number, column: number) => Location,
  mistakes: MistakeList,
): XmlElement | null {
  const places = new Places(text, locationAt);
  try {
    return new XmlReading(text, places).root();
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const location = places.at(thrown.offset);
    addMistake(mistakes, { code: "TOPOLOGY_SYNTAX", location, problem: thrown.message });
    return null;
  }
}

/** Ends the reading from inside of the parser. */
class Refusal extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

interface OpenElement {
  readonly name: Written;
  readonly attributes: XmlAttribute[];
  readonly children: XmlElement[];
}

class XmlReading {
  readonly #text: string;
  readonly #places: Places;
  readonly #parser: SaxesParser;
  readonly #open: OpenElement[] = [];
  #root: XmlElement | null = null;
  /** Where the last part of a tag ended. */
  #end = 0;
  /** Where the last tag or comment ended. */
  #after = 0;
  #parts = 0;

  constructor(text: string, places: Places) {
    this.#text = text;
    this.#places = places;
    const { SaxesParser } = require("saxes") as { readonly SaxesParser: new () => SaxesParser };
    this.#parser = new SaxesParser();
  }

  root(): XmlElement {
    const parser = this.#parser;
    parser.on("error", (error) => this.#refuse(`this is not well-formed XML: ${plain(error)}`));
    parser.on("xmldecl", ({ encoding = "utf-8" }) => {
      if (/^utf-8$/i.test(encoding)) return;
      this.#refuse("the file must be UTF-8 and say so, or nothing", "<?xml");
    });
    parser.on("doctype", () => {
      this.#refuse("a doctype is not used in a topology, and neither are entities", "<!DOCTYPE");
    });
    parser.on("processinginstruction", () => {
      this.#refuse("processing instructions are not used in a topology", "<?");
    });
    for (const event of ["text", "cdata"] as const) {
      parser.on(event, (found) => {
        if (!/\S/.test(found)) return;
        const at = this.#after + this.#text.slice(this.#after).search(/\S|$/);
        throw new Refusal("text between elements is not used in a topology", at);
      });
    }
    parser.on("opentagstart", ({ name }) => this.#start(name));
    parser.on("attribute", ({ name, value }) => this.#attribute(name, value));
    parser.on("opentag", () => this.#pass());
    parser.on("comment", () => this.#pass());
    parser.on("closetag", () => this.#close());
    parser.write(this.#text).close();
    if (this.#root === null) this.#refuse("there is no element");
    return this.#root;
  }

  #start(name: string): void {
    this.#count();
    this.#end = this.#parser.position;
    const at = this.#text.lastIndexOf("<", this.#end - 1) + 1;
    if (this.#open.length >= DEPTH_MAX) {
      throw new Refusal(`the nesting is deeper than ${DEPTH_MAX} levels`, at);
    }
    const written = { text: name, location: this.#places.at(at) };
    this.#open.push({ name: written, attributes: [], children: [] });
  }

  /** Between the end of the last part and the position: spaces, the name, `=`, the quoted value. */
  #attribute(name: string, value: string): void {
    this.#count();
    const raw = this.#text.slice(this.#end, this.#parser.position);
    const nameAt = this.#end + raw.search(/\S|$/);
    const valueAt = this.#end + raw.search(/["']|$/) + 1;
    this.#end = this.#parser.position;
    this.#open.at(-1)?.attributes.push({
      name: { text: name, location: this.#places.at(nameAt) },
      value: { text: value, location: this.#places.at(valueAt) },
    });
  }

  #pass(): void {
    this.#after = this.#parser.position;
  }

  #close(): void {
    this.#pass();
    const element = this.#open.pop();
    if (element === undefined) return;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = element;
    else parent.children.push(element);
  }

  #count(): void {
    this.#parts += 1;
    if (this.#parts > PARTS_MAX) this.#refuse(`there are more than ${PARTS_MAX} parts`);
  }

  /** At the last occurrence of `mark` before the position, or at the position. */
  #refuse(problem: string, mark?: string): never {
    const { position } = this.#parser;
    const at = mark === undefined ? position - 1 : this.#text.lastIndexOf(mark, position);
    throw new Refusal(problem, Math.max(0, at));
  }
}

/** The parser's message without its own place and full stop. */
function plain({ message }: Error): string {
  return message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
}

/** Lines and columns of offsets, both from 1. */
class Places {
  readonly #starts: readonly number[];
  readonly #locationAt: (line: number, column: number) => Location;

  constructor(text: string, locationAt: (line: number, column: number) => Location) {
    const ends = [...text.matchAll(/\r\n|\r|\n/g)];
    this.#starts = [0, ...ends.map((end) => end.index + end[0].length)];
    this.#locationAt = locationAt;
  }

  at(offset: number): Location {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#locationAt(low + 1, offset - (this.#starts[low] ?? 0) + 1);
  }
}
