/**
 * html5lib's data on the tokenizer: start tags with their attributes, and the text between tags,
 * must agree with the standard, however the input is cut. Comments, document types and end tags are
 * in the data too, but the extractor does not report them; what follows them shows that they end
 * where they should.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ELEMENT_IDS } from "../../src/formats/html/elements.ts";
import { OpenCounts } from "../../src/formats/html/tokens/open-counts.ts";
import { decodeReference } from "../../src/formats/html/tokens/references.ts";
import {
  DATA,
  PLAINTEXT,
  RAWTEXT,
  RCDATA,
  SCRIPT_DATA,
  type StartTag,
  type TokenSink,
} from "../../src/formats/html/tokens/token-sink.ts";
import { CDATA, Tokenizer } from "../../src/formats/html/tokens/tokenizer.ts";
import { Utf8Buffer } from "../../src/formats/html/tokens/utf8-buffer.ts";
import { writeValue } from "../../src/formats/html/values.ts";
import { conformanceData } from "../support/requirement.ts";

interface TokenizerCase {
  readonly description: string;
  readonly input: string;
  readonly output: readonly (readonly unknown[])[];
  readonly initialStates?: readonly string[];
  readonly lastStartTag?: string;
  readonly doubleEscaped?: boolean;
}

const STATES: Readonly<Record<string, number>> = {
  "Data state": DATA,
  "RCDATA state": RCDATA,
  "RAWTEXT state": RAWTEXT,
  "Script data state": SCRIPT_DATA,
  "PLAINTEXT state": PLAINTEXT,
  "CDATA section state": CDATA,
};

/** Cases that are not run, with the reason. */
const EXCEPTIONS: readonly {
  readonly matches: (one: Prepared) => boolean;
  readonly why: string;
}[] = [
  {
    matches: (one) => !isWellFormed(one.input),
    why: "the input holds a surrogate that stands alone, which no bytes decode to",
  },
  {
    matches: (one) => one.file === "xmlViolation.test",
    why: "the rules for building XML trees out of HTML are not the tokenizer's",
  },
];

interface Prepared {
  readonly file: string;
  readonly input: string;
  readonly state: string;
  readonly endName: string;
  readonly expected: string;
}

/** Tells start tags with all attributes, and text with references decoded. */
class TestSink implements TokenSink {
  readonly wanted = new Uint8Array(ELEMENT_IDS).fill(1);
  readonly inert = new Uint8Array(ELEMENT_IDS);
  readonly counts = new OpenCounts();
  readonly isListening = true;
  readonly tokens: unknown[] = [];
  readonly attributes = {
    take: (_hash: number, nameFrom: number, nameTo: number, from: number, to: number): void => {
      const name = nameIn(this.#bytes, nameFrom, nameTo);
      if (this.#attributes.has(name)) return;
      const value = new Utf8Buffer(16);
      writeValue(this.#bytes, from, to, value, undefined);
      this.#attributes.set(name, value.slice(0, value.length));
    },
  };
  #attributes = new Map<string, string>();
  #bytes: Uint8Array = new Uint8Array(0);
  #text = new Utf8Buffer(16);

  beginTag(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#attributes = new Map();
  }

  startTag(tag: StartTag): number {
    this.flush();
    const open = tag.nameFrom;
    this.tokens.push([nameIn(tag.bytes, open, tag.nameTo), [...this.#attributes].sort()]);
    return DATA;
  }

  endTag(): void {
    this.flush();
  }

  tellFrameSource(): void {}

  text(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (bytes[at] === 0x26) at = decodeReference(bytes, at, to, this.#text, false);
      else this.#text.pushHighByte(bytes[at++] as number);
    }
  }

  rawText(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) this.#text.pushHighByte(bytes[at] as number);
  }

  flush(): void {
    if (this.#text.length > 0) this.tokens.push(plain(this.#text.slice(0, this.#text.length)));
    this.#text = new Utf8Buffer(16);
  }

  isForeign(): boolean {
    return false;
  }

  breakLine(): void {}
  doctype(): void {}
  tagTooLong(): void {}
}

function nameIn(bytes: Uint8Array, from: number, to: number): string {
  const name = Buffer.from(bytes.subarray(from, to)).toString("utf8").replaceAll("\0", "\ufffd");
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** NUL is replaced or left out, depending on the state; line ends are made one. */
function plain(text: string): string {
  return text.replace(/[\0\ufffd]/g, "").replace(/\r\n?/g, "\n");
}

function isWellFormed(text: string): boolean {
  return Buffer.from(text, "utf8").toString("utf8") === text;
}

function prepare(file: string, one: TokenizerCase): Prepared[] {
  const plainText = (text: string) =>
    one.doubleEscaped
      ? text.replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      : text;
  const tokens: unknown[] = [];
  let text = "";
  const flush = () => {
    if (plain(text) !== "") tokens.push(plain(text));
    text = "";
  };
  for (const [kind, name, attributes] of one.output) {
    if (kind === "Character") text += plainText(name as string);
    if (kind === "StartTag" || kind === "EndTag") flush();
    if (kind === "StartTag") {
      const pairs = Object.entries(attributes as Record<string, string>);
      tokens.push([plainText(name as string), pairs.map((pair) => pair.map(plainText)).sort()]);
    }
  }
  flush();
  return (one.initialStates ?? ["Data state"]).map((state) => ({
    file,
    input: plainText(one.input),
    state,
    endName: one.lastStartTag ?? "no-element-before",
    expected: JSON.stringify(tokens),
  }));
}

function tokenize(one: Prepared, chunkBytes: number): string {
  const sink = new TestSink();
  const tokenizer = new Tokenizer(sink);
  tokenizer.enter(STATES[one.state] as number, one.endName);
  const bytes = Buffer.from(one.input, "utf8");
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    tokenizer.write(bytes.subarray(at, at + chunkBytes));
  }
  tokenizer.end();
  sink.flush();
  return JSON.stringify(sink.tokens.filter((token) => token !== ""));
}

const data = conformanceData("html-tokenizer");
const files = data.skip ? [] : readdirSync(data.path);

test("html5lib's data on the tokenizer is there", { skip: data.skip }, () => {
  assert.ok(files.length >= 14);
});

for (const file of files) {
  test(`start tags, attributes and text agree with html5lib's ${file}`, () => {
    const parsed = JSON.parse(readFileSync(join(data.path, file), "utf8"));
    const cases: TokenizerCase[] = parsed.tests ?? parsed.xmlViolationTests;
    const prepared = cases.flatMap((one) => prepare(file, one));
    assert.ok(prepared.length > 0, "the file holds cases");
    for (const one of prepared) {
      if (EXCEPTIONS.some((exception) => exception.matches(one))) continue;
      for (const chunkBytes of [1 << 20, 3, 1]) {
        const what = `${JSON.stringify(one.input)} in ${one.state}, chunks of ${chunkBytes}`;
        assert.equal(tokenize(one, chunkBytes), one.expected, what);
      }
    }
  });
}
