/**
 * The shape of a value as plain data: what a table, a form or a message needs to know of a type
 * without reading a value. Everything that describes the schema to people is derived from it.
 */
import { printBytes, printCount, printDuration } from "../../base/units/index.ts";

export type Shape =
  | {
      readonly kind: "count" | "bytes" | "bytes/s" | "duration";
      readonly min: number;
      readonly max: number;
      /** Only 1, 2, 4, 8 and so on are legal. */
      readonly powerOfTwo: boolean;
    }
  | { readonly kind: "toggle" }
  /** `open`: a module's path or package name is legal too. */
  | { readonly kind: "choice"; readonly choices: readonly string[]; readonly open: boolean }
  /** `form` says in words what is legal; `examples` are legal texts. */
  | { readonly kind: "text"; readonly form: string; readonly examples: readonly string[] }
  | { readonly kind: "list"; readonly item: Shape; readonly itemsMax: number }
  /** Names that the user chooses, each with a value. */
  | { readonly kind: "map"; readonly form: string; readonly examples: readonly string[] }
  /** Fields that are declared. */
  | { readonly kind: "record"; readonly form: string; readonly examples: readonly string[] }
  /** A word such as `auto` or `~` (no value), or a value of the other shape. */
  | { readonly kind: "either"; readonly word: string; readonly other: Shape };

/** The word for "no value", in every notation. */
export const NO_VALUE = "~";

/** The legal values in words. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case "count":
      return range(shape.powerOfTwo ? "a power of two" : "a whole number", shape, printCount);
    case "bytes":
      return range("a size", shape, printBytes);
    case "bytes/s":
      return range("bytes per second", shape, printBytes);
    case "duration":
      return range("a duration", shape, printDuration);
    case "toggle":
      return "true or false";
    case "choice":
      return [...shape.choices, ...(shape.open ? ["a module's path or package"] : [])].join(", ");
    case "text":
    case "map":
    case "record":
      return shape.form;
    case "list":
      return `a list, each item ${describeShape(shape.item)}`;
    case "either":
      return `${shape.word}, or ${describeShape(shape.other)}`;
  }
}

/** One or a few words for the type. */
export function shapeName(shape: Shape): string {
  switch (shape.kind) {
    case "toggle":
      return "true/false";
    case "list":
      return `list of ${ITEM_NAMES[shape.item.kind] ?? "texts"}`;
    case "either":
      return shape.word === NO_VALUE
        ? shapeName(shape.other)
        : `${shape.word} or ${shapeName(shape.other)}`;
    default:
      return shape.kind;
  }
}

const ITEM_NAMES: Readonly<Record<string, string>> = { count: "numbers", record: "records" };

/** The unit in which the code holds the value; null for what has none. */
export function shapeUnit(shape: Shape): "ms" | "bytes" | "bytes/s" | null {
  switch (shape.kind) {
    case "duration":
      return "ms";
    case "bytes":
    case "bytes/s":
      return shape.kind;
    case "either":
      return shapeUnit(shape.other);
    default:
      return null;
  }
}

function range(
  what: string,
  bounds: { readonly min: number; readonly max: number },
  print: (value: number) => string,
): string {
  if (bounds.max === Number.MAX_SAFE_INTEGER) return `${what}, at least ${print(bounds.min)}`;
  return `${what} from ${print(bounds.min)} to ${print(bounds.max)}`;
}
