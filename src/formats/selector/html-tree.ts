/**
 * A document as a tree of elements that selectors find. The libraries are loaded when the first tree is
 * built, synchronously, since code that looks at a page should not have to wait for that.
 */
import { createRequire } from "node:module";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";

/** What selectors can be asked of: a document, or an element of it. */
export interface Selectable {
  /** The first element that the selector finds, in the order of the document; null if it finds none. */
  $(selector: string): Selected | null;
  /** All of them. */
  $$(selector: string): Selected[];
}

/** An element that was found. */
export interface Selected extends Selectable {
  /** In lower case, for HTML. */
  readonly name: string;
  /** Its text and that of the elements in it, as written, without space around it. */
  readonly text: string;
  /** What is inside it, as HTML. */
  readonly html: string;
  /** The value of an attribute; null if it has none of this name. */
  attr(name: string): string | null;
}

type Parser = typeof import("htmlparser2");
type Document = ReturnType<Parser["parseDocument"]>;
type AnyNode = Document["children"][number];
type Element = Extract<AnyNode, { readonly attribs: object }>;
type Selecting = typeof import("css-select");

const require = createRequire(import.meta.url);
let libraries: { readonly parser: Parser; readonly selecting: Selecting } | null = null;

function load(): { readonly parser: Parser; readonly selecting: Selecting } {
  libraries ??= {
    parser: require("htmlparser2") as Parser,
    selecting: require("css-select") as Selecting,
  };
  return libraries;
}

/** Never throws. With `isXml` names keep their case, and elements end only where they are closed. */
export function readTree(text: string, isXml = false): Selectable {
  const { parseDocument } = load().parser;
  try {
    return new Tree(parseDocument(text, { xmlMode: isXml }), isXml);
  } catch {
    return new Tree(parseDocument(""), isXml);
  }
}

class Tree implements Selectable {
  readonly #node: Document | Element;
  readonly #isXml: boolean;

  constructor(node: Document | Element, isXml: boolean) {
    this.#node = node;
    this.#isXml = isXml;
  }

  $(selector: string): Selected | null {
    const { selectOne } = load().selecting;
    const found = guarded(selector, () =>
      selectOne<AnyNode, Element>(selector, this.#below, this.#how),
    );
    return found === null || found === undefined ? null : new FoundElement(found, this.#isXml);
  }

  $$(selector: string): Selected[] {
    const { selectAll } = load().selecting;
    const found = guarded(selector, () =>
      selectAll<AnyNode, Element>(selector, this.#below, this.#how),
    );
    return (found ?? []).map((one) => new FoundElement(one, this.#isXml));
  }

  get #below(): AnyNode[] {
    return this.#node.children;
  }

  get #how(): { readonly xmlMode: boolean } {
    return { xmlMode: this.#isXml };
  }
}

class FoundElement extends Tree implements Selected {
  readonly #element: Element;

  constructor(element: Element, isXml: boolean) {
    super(element, isXml);
    this.#element = element;
  }

  get name(): string {
    return this.#element.name;
  }

  get text(): string {
    const { textContent } = load().parser.DomUtils;
    return (tried(() => textContent(this.#element)) ?? "").trim();
  }

  get html(): string {
    const { getInnerHTML } = load().parser.DomUtils;
    return tried(() => getInnerHTML(this.#element)) ?? "";
  }

  attr(name: string): string | null {
    const { attribs } = this.#element;
    return Object.hasOwn(attribs, name) ? (attribs[name] ?? null) : null;
  }
}

/** Null where the nesting is too deep for the stack. */
function tried<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function guarded<Value>(selector: string, work: () => Value): Value | null {
  try {
    return tried(work);
  } catch (error) {
    throw badSelector(selector, error);
  }
}

/** Throws `USAGE_BAD_SELECTOR` unless the text is a selector. */
export function checkSelector(selector: string): void {
  guarded(selector, () => load().selecting.compile(selector));
}

function badSelector(selector: string, cause: unknown): CrawlError {
  const reason =
    cause instanceof Error
      ? (cause.message.split("\n", 1)[0] ?? "").replace(/\.+$/, "")
      : String(cause);
  return new CrawlError(
    "USAGE_BAD_SELECTOR",
    `${quoted(selector)} is not a CSS selector: ${reason}. Write one such as \`.price\` or \`a[href]\`.`,
    { selector },
    cause,
  );
}
