/**
 * Named fields that are taken out of documents by selectors: `price=.price` is the text of the first
 * element that the selector finds, `image=img@src` an attribute of it, and `tags[]=.tag` a list of all.
 * What a document does not have is null, or an empty list.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { checkSelector, type Selectable, type Selected } from "./html-tree.ts";

/** By the name of the field: a selector, perhaps with `@` and an attribute. */
export type GivenFields = Readonly<Record<string, string>>;

interface Field {
  readonly name: string;
  readonly selector: string;
  /** Null for the text. */
  readonly attribute: string | null;
  readonly isList: boolean;
}

type Value = string | null | readonly string[];

const NAME = /^([\p{L}_][\p{L}\p{N}_.-]{0,99})(\[\])?$/u;
const ATTRIBUTE = /^(.*?)@([\w:.-]+)$/s;

export class Extraction {
  readonly #fields: readonly Field[];

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
  }

  /** The names of the fields, in the order given. */
  get names(): readonly string[] {
    return this.#fields.map(({ name }) => name);
  }

  /** Every field, of a document or of none. */
  of(document: Selectable | null): Record<string, Value> {
    return Object.fromEntries(
      this.#fields.map((field) => [field.name, readField(field, document)]),
    );
  }
}

/** Throws `USAGE_BAD_SELECTOR` for the first that is wrong. `taken` are names that rows have already. */
export function readExtraction(given: GivenFields, taken: readonly string[] = []): Extraction {
  return new Extraction(Object.entries(given).map(([name, text]) => fieldOf(name, text, taken)));
}

function fieldOf(written: string, text: string, taken: readonly string[]): Field {
  const [, name, list] = NAME.exec(written.trim()) ?? [];
  if (name === undefined || name === "__proto__") throw refused(written, "is not a name");
  if (taken.includes(name)) throw refused(written, "is the name of a field that every row has");
  const [, before, attribute = null] = ATTRIBUTE.exec(text.trim()) ?? [];
  const selector = (before ?? text).trim();
  if (selector === "") throw refused(written, "has no selector");
  checkSelector(selector);
  return { name, selector, attribute, isList: list !== undefined };
}

function readField({ selector, attribute, isList }: Field, document: Selectable | null): Value {
  if (document === null) return isList ? [] : null;
  const read = (one: Selected): string | null =>
    attribute === null ? one.text : one.attr(attribute);
  if (isList) return document.$$(selector).flatMap((one) => read(one) ?? []);
  const first = document.$(selector);
  return first === null ? null : read(first);
}

function refused(name: string, problem: string): CrawlError {
  return new CrawlError(
    "USAGE_BAD_SELECTOR",
    `${quoted(name)} ${problem}. A field is given as NAME=SELECTOR: letters, digits, dots, hyphens ` +
      "and underscores, then a CSS selector, such as `price=.price`.",
    { field: name },
  );
}
