import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { MemoryBody, parsed, parsingWith } from "../../../test/support/parse/parse-rig.ts";
import type { ParsedPage, ParseSource, Parsing } from "../../parse/page/index.ts";
import { ByteReader, ByteWriter, type ItemType } from "../../topology/items/index.ts";
import { tryUnit } from "../../topology/launch/index.ts";
import { documentParser } from "./document-parser.ts";
import { DocumentItem, PageItem, type ReturnedPage, type SentDocument } from "./parse-items.ts";

const URL = "https://example.org/dir/page.html";

const PAGES: Readonly<Record<string, string | Buffer>> = {
  empty: "",
  binary: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
  sitemap: '<?xml version="1.0"?><urlset><url><loc>https://example.org/a</loc></url></urlset>',
  full:
    '<!DOCTYPE html><html lang="de"><base href="/b/"><title>Ä &amp; \u{1f600}</title>' +
    '<meta name="description" content="says"><link rel="canonical" href="/c">' +
    '<meta name="robots" content="nofollow, noai, unavailable_after: 2024-01-01">' +
    '<a href="x" rel="nofollow me">one</a><img src="y.png" alt="two"><a href="?q=ü">three</a>' +
    `<p>${Array.from({ length: 40 }, (_, at) => `word${at % 20}`).join(" ")}</p>`,
};

/** What comes out at the other side of a connector that leaves the process. */
function sent<Item>({ codec }: ItemType<Item>, item: Item): Item {
  const writer = new ByteWriter();
  codec?.write(item, writer);
  const reader = new ByteReader(writer.copy());
  const read = codec?.read(reader);
  assert(read !== undefined);
  assert.equal(reader.isAtEnd, true, "all bytes are read");
  return read;
}

function documentOf(parsing: Parsing, body: Uint8Array, received: Uint8Array | null) {
  const { terms } = parsing;
  assert(terms !== null);
  const document: SentDocument = {
    ...{ run: "a run", number: 7, terms, url: URL, body, received },
    headers: [["Link", '</h>; rel="next"']],
    ...{ isSitemap: false, isCut: false },
  };
  return sent(DocumentItem, document);
}

test("a document is parsed elsewhere as it is parsed here", async () => {
  const parsing = parsingWith({ words: true });
  const source: ParseSource = { url: URL, headers: [["Link", '</h>; rel="next"']] };
  for (const [name, content] of Object.entries(PAGES)) {
    const body = Buffer.from(content);
    const received = gzipSync(body);
    const here = [undefined, new MemoryBody(received)].map((whole) =>
      parsed(parsing, { ...source, received: whole }, new MemoryBody(body)),
    );
    const documents = [null, received].map((whole) => documentOf(parsing, body, whole));
    const { outputs, errors } = await tryUnit(documentParser, { inputs: { input: documents } });
    assert.deepEqual(errors, []);
    const pages = (outputs["output"] ?? []).map((one) => sent(PageItem, one as ReturnedPage));
    const expected = here.map((page) => ({ run: "a run", number: 7, page: plain(page) }));
    assert.deepEqual(
      pages.map((one) => ({ ...one, page: plain(one.page) })),
      expected,
      name,
    );
  }
});

/** The same bytes may be a Buffer here and an array there. */
function plain(page: ParsedPage): ParsedPage {
  return { ...page, payloadSha1: Uint8Array.from(page.payloadSha1) };
}

test("halves of surrogate pairs survive the way", () => {
  const page = parsed(parsingWith(), { url: URL, headers: [] }, new MemoryBody("x"));
  const title = "cut \ud83d";
  assert.equal(sent(PageItem, { run: "", number: 1, page: { ...page, title } }).page.title, title);
});

test("a document whose terms mean nothing is skipped, and the next one is parsed", async () => {
  const document = documentOf(parsingWith(), Buffer.from("<title>t</title>"), null);
  const { outputs, errors } = await tryUnit(documentParser, {
    inputs: { input: [{ ...document, terms: "{}" }, { ...document, terms: "?" }, document] },
  });
  assert.deepEqual(
    errors.map(({ code }) => code),
    ["INTERNAL_UNIT", "INTERNAL_UNIT"],
  );
  assert.equal(outputs["output"]?.length, 1);
});

test("documents of any number of crawls are parsed by their own terms", async () => {
  const body = Buffer.from(PAGES["full"] ?? "");
  const parsings = Array.from({ length: 40 }, (_, at) =>
    parsingWith({}, { crawlKey: Buffer.from(`key ${String(at % 20).padStart(12)}`) }),
  );
  const input = parsings.map((parsing) => documentOf(parsing, body, null));
  const { outputs } = await tryUnit(documentParser, { inputs: { input } });
  const digests = outputs["output"]?.map((one) => (one as ReturnedPage).page.near);
  const source = { url: URL, headers: [] };
  assert.deepEqual(
    digests,
    parsings.map((parsing) => parsed(parsing, source, new MemoryBody(body)).near),
  );
});
