/**
 * JSON-LD, as far as it says what a page is about: the types and dates of its outermost things, those in
 * `@graph` among them. Things inside others, such as the author of an article, do not count.
 */

export interface LinkedData {
  /** Without the address of their vocabulary. */
  readonly types: readonly string[];
  /** As written; "" when absent. */
  readonly published: string;
  readonly modified: string;
}

const TYPE_LENGTH_MAX = 100;
/** How deep lists may be in lists. */
const DEPTH_MAX = 4;

/** What is not JSON says nothing. */
export function linkedData(text: string): LinkedData {
  const things = [...thingsIn(parsed(text), 0)];
  const first = (name: string): string => {
    for (const thing of things) {
      const value = thing[name];
      if (typeof value === "string") return value;
    }
    return "";
  };
  return {
    types: things.flatMap((thing) => typesOf(thing["@type"])),
    published: first("datePublished"),
    modified: first("dateModified"),
  };
}

type Thing = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function* thingsIn(value: unknown, depth: number): Generator<Thing> {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    for (const each of value) yield* thingsIn(each, depth + 1);
    return;
  }
  const thing = value as Thing;
  yield thing;
  yield* thingsIn(thing["@graph"], depth + 1);
}

function typesOf(value: unknown): string[] {
  const types = Array.isArray(value) ? value : [value];
  return types
    .filter((type) => typeof type === "string")
    .map((type) => type.replace(/^(?:https?:\/\/schema\.org\/|schema:)/i, ""))
    .filter((type) => type !== "" && type.length <= TYPE_LENGTH_MAX);
}
