/**
 * YAML as a source of settings. Only the plain part of YAML is read: maps, lists and scalars.
 * Anchors, aliases, merge keys, tags and several documents are refused with their location,
 * because settings need none of them and each has been a way to make a parser explode. Scalars are
 * taken as text; what `1s`, `~` or `0x10` means is decided by the type of the key.
 *
 * The parser is loaded for the first text that needs it. Neither a single word does, which most flags give,
 * nor an empty tree, nor the text that the build has read (`known-text.ts`).
 */
import { createRequire } from "node:module";
import type { LineCounter, Node, YAMLError, YAMLMap } from "yaml";
import { printable } from "../../base/text/index.ts";
import { emptyScalar, type Given, type GivenEntry, type Location } from "./given.ts";
import { KNOWN_TEXT, type KnownText } from "./known-text.ts";
import type { MistakeList } from "./mistake.ts";

/** The location of a position in the text; a flag has one for all positions. */
export type LocationAt = (line: number, column: number) => Location;

const require = createRequire(import.meta.url);
const yaml = (): typeof import("yaml") => require("yaml");

/** Text in which nothing means anything in YAML, so that it is a scalar as it stands. */
const WORD = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?$/;
/** What options are that give nothing. */
const EMPTY_TREE = "{}";

const DEPTH_MAX = 16;
const SYNTAX_ERRORS_MAX = 20;
const MESSAGE_MAX = 300;

/** Null when the text is not well formed; then at least one mistake has been added. */
export function readYaml(
  text: string,
  locationAt: LocationAt,
  mistakes: MistakeList,
): Given | null {
  return readWithoutParser(text, locationAt) ?? readWithParser(text, locationAt, mistakes);
}

function readWithoutParser(text: string, locationAt: LocationAt): Given | null {
  const known: KnownText | null = KNOWN_TEXT;
  if (text === known?.text) return placed(known.given, locationAt);
  if (text === EMPTY_TREE) return { kind: "tree", entries: [], location: locationAt(1, 1) };
  if (!WORD.test(text)) return null;
  return { kind: "scalar", text, plain: true, parts: null, location: locationAt(1, 1) };
}

function readWithParser(text: string, locationAt: LocationAt, mistakes: MistakeList): Given | null {
  const { isNode, LineCounter } = yaml();
  const lines = new LineCounter();
  const at = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return locationAt(Math.max(1, line), Math.max(1, col));
  };
  const { contents, errors } = parse(text, lines);
  for (const error of worthTelling(errors)) {
    mistakes.add(() => ({
      code: "CONFIG_SYNTAX",
      location: at(error.pos[0]),
      problem: problemOf(error),
    }));
  }
  if (errors.length > 0) return null;
  if (!isNode(contents)) return { kind: "tree", entries: [], location: at(0) };
  const walk = new Walk(at, mistakes);
  const given = walk.node(contents, 0);
  return walk.refused ? null : given;
}

/** The same tree, with locations of the caller. */
export function placed(given: Given, locationAt: LocationAt): Given {
  const at = (location: Location): Location =>
    location.kind === "file" ? locationAt(location.line ?? 1, location.column ?? 1) : location;
  const location = at(given.location);
  switch (given.kind) {
    case "scalar":
      return { ...given, location };
    case "list":
      return { ...given, location, items: given.items.map((item) => placed(item, locationAt)) };
    case "tree":
      return {
        ...{ ...given, location },
        entries: given.entries.map((entry) => ({
          ...{ ...entry, location: at(entry.location) },
          value: placed(entry.value, locationAt),
        })),
      };
  }
}

interface Parsed {
  readonly contents: unknown;
  readonly errors: readonly YAMLError[];
}

function parse(text: string, lineCounter: LineCounter): Parsed {
  const stackTraceLimit = Error.stackTraceLimit;
  // A hostile megabyte makes a million errors. Their stacks cost ten seconds, and nobody sees them.
  Error.stackTraceLimit = 0;
  try {
    return yaml().parseDocument(text, {
      lineCounter,
      schema: "failsafe",
      prettyErrors: false,
      logLevel: "error",
      // The parser's own check compares every key with every other; `read-settings.ts` uses a map.
      uniqueKeys: false,
    });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A parser that runs out of stack reports it once for every level; the first report is enough. */
function worthTelling(errors: readonly YAMLError[]): readonly YAMLError[] {
  const exhausted = errors.find((error) => error.code === "RESOURCE_EXHAUSTION");
  return exhausted === undefined ? errors.slice(0, SYNTAX_ERRORS_MAX) : [exhausted];
}

function problemOf(error: YAMLError): string {
  switch (error.code) {
    case "MULTIPLE_DOCS":
      return "a second document begins here; a configuration is one document";
    case "TAB_AS_INDENT":
      return "a tab is used for indentation; use spaces";
    case "RESOURCE_EXHAUSTION":
      return "the nesting is too deep to be read";
    default:
      // The parser quotes what it found, whatever that is.
      return `this is not well-formed YAML: ${printable(firstLine(error.message))}`;
  }
}

function firstLine(message: string): string {
  const line = message.split("\n", 1)[0] ?? "";
  return line.length <= MESSAGE_MAX ? line : `${line.slice(0, MESSAGE_MAX)}…`;
}

/** Turns the parser's nodes into what was given, and refuses what a configuration does not use. */
class Walk {
  readonly #yaml = yaml();
  readonly #at: (offset: number) => Location;
  readonly #mistakes: MistakeList;
  refused = false;

  constructor(at: (offset: number) => Location, mistakes: MistakeList) {
    this.#at = at;
    this.#mistakes = mistakes;
  }

  node(node: Node, depth: number): Given {
    const { isMap, isScalar, isSeq, Scalar } = this.#yaml;
    const location = this.#locationOf(node);
    this.#refuseExtras(node, location);
    if (depth > DEPTH_MAX) this.#refuse(location, `the nesting is deeper than ${DEPTH_MAX} levels`);
    else if (isMap(node)) return { kind: "tree", entries: this.#entries(node, depth), location };
    else if (isSeq(node)) {
      const items = node.items.map((item) => this.#child(item, location, depth));
      return { kind: "list", items, location };
    } else if (isScalar(node)) {
      const plain = node.type === undefined || node.type === Scalar.PLAIN;
      return { kind: "scalar", text: String(node.value ?? ""), plain, parts: null, location };
    }
    return emptyScalar(location);
  }

  #entries(map: YAMLMap, depth: number): GivenEntry[] {
    const { isNode, isScalar } = this.#yaml;
    return map.items.map(({ key, value }) => {
      const location = isNode(key) ? this.#locationOf(key) : this.#locationOf(map);
      const name = isScalar(key) ? String(key.value ?? "") : "";
      if (isNode(key)) this.#refuseExtras(key, location);
      if (name === "<<") this.#refuse(location, "merge keys are not used in a configuration");
      else if (name === "") this.#refuse(location, "a key must be a single name");
      return { key: name, location, value: this.#child(value, location, depth) };
    });
  }

  #child(value: unknown, location: Location, depth: number): Given {
    return this.#yaml.isNode(value) ? this.node(value, depth + 1) : emptyScalar(location);
  }

  #refuseExtras(node: Node, location: Location): void {
    if (this.#yaml.isAlias(node)) {
      this.#refuse(location, "aliases are not used in a configuration; write the value out");
    } else if ("anchor" in node && node.anchor !== undefined) {
      this.#refuse(location, "anchors are not used in a configuration");
    } else if (node.tag !== undefined) {
      this.#refuse(location, "tags are not used in a configuration");
    }
  }

  #refuse(location: Location, problem: string): void {
    this.refused = true;
    this.#mistakes.add(() => ({ code: "CONFIG_SYNTAX", location, problem }));
  }

  #locationOf(node: Node): Location {
    return this.#at(node.range?.[0] ?? 0);
  }
}
