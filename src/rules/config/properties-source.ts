/**
 * `key=value` files as a source of settings, in the form of Java's properties that BUbiNG uses:
 * `#` and `!` begin comments, a backslash at the end continues a line, `\n`, `\t`, `\\`, `\u0041`
 * are escapes, lists are cut at commas (`\,` is a literal comma) or given by repeating the key.
 * The text is UTF-8. Names are interpreted by `properties-settings.ts`.
 */
import type { GivenScalar, Location, MistakeList } from "../settings/index.ts";

export interface Property {
  readonly name: string;
  readonly location: Location;
  readonly value: GivenScalar;
}

interface LogicalLine {
  readonly text: string;
  /** Of its first natural line, counting from 1. */
  readonly line: number;
}

export function readProperties(text: string, path: string, mistakes: MistakeList): Property[] {
  const properties: Property[] = [];
  for (const { text: content, line } of logicalLines(text)) {
    const locationAt = (column: number): Location => ({ kind: "file", path, line, column });
    const start = content.length - content.trimStart().length;
    const separator = content.search(/[=:]/);
    if (separator === -1) {
      const problem = "this line has no = between a key and its value";
      mistakes.add(() => ({ code: "CONFIG_SYNTAX", location: locationAt(start + 1), problem }));
      continue;
    }
    const raw = content.slice(separator + 1).trimStart();
    const value = unescaped(raw);
    if (value === null) {
      const problem = "\\u must be followed by four hexadecimal digits";
      const column = content.length - raw.length + raw.search(/\\u/) + 1;
      mistakes.add(() => ({ code: "CONFIG_SYNTAX", location: locationAt(column), problem }));
      continue;
    }
    properties.push({
      name: content.slice(0, separator).trim(),
      location: locationAt(start + 1),
      value: {
        kind: "scalar",
        plain: true,
        location: locationAt(content.length - raw.length + 1),
        ...value,
      },
    });
  }
  return properties;
}

function logicalLines(text: string): LogicalLine[] {
  const found: LogicalLine[] = [];
  let open: { parts: string[]; line: number } | null = null;
  for (const [index, natural] of text.split(/\r\n|[\n\r]/).entries()) {
    if (open === null && /^\s*(?:[#!]|$)/.test(natural)) continue;
    const continued = /(?:^|[^\\])(?:\\\\)*\\$/.test(natural);
    const part = continued ? natural.slice(0, -1) : natural;
    open ??= { parts: [], line: index + 1 };
    open.parts.push(open.parts.length === 0 ? part : part.trimStart());
    if (continued) continue;
    found.push({ text: open.parts.join(""), line: open.line });
    open = null;
  }
  if (open !== null) found.push({ text: open.parts.join(""), line: open.line });
  return found;
}

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["f", "\f"],
]);

/** The value as one text, and cut at the commas that are not escaped. */
function unescaped(raw: string): { text: string; parts: string[] } | null {
  const parts = [""];
  let malformed = false;
  const text = raw
    .trimEnd()
    .replace(/\\u([0-9a-fA-F]{4})|\\(.)|([^\\])/gs, (_, code, letter, plain) => {
      if (letter === "u") malformed = true;
      const character =
        code === undefined
          ? (plain ?? CONTROLS.get(letter) ?? letter)
          : String.fromCharCode(Number.parseInt(code, 16));
      if (plain === ",") parts.push("");
      else parts[parts.length - 1] += character;
      return character;
    });
  return malformed ? null : { text, parts: parts.map((part) => part.trim()) };
}
