import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { SimulatedMachine } from "../../../../test/support/lab/simulated-machine.ts";
import { TableTruth } from "../../../../test/support/lab/table-truth.ts";
import { ODDITIES, type TablePage, TableWeb } from "../../../../test/support/lab/table-web.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import {
  type Capture,
  metadataRecord,
  recordId,
  requestRecord,
  responseRecord,
  revisitRecord,
  sha1Digest,
  type Truncation,
  WarcEncoder,
  type WarcRecord,
  warcinfoRecord,
} from "../../../formats/warc/index.ts";
import type { SyntheticWeb, WebResponse } from "../web/synthetic-web.ts";
import { ArchiveExaminer, type ArchiveVerdict } from "./archive-examiner.ts";
import { readArchive } from "./read-archive.ts";

const random = new SeededRandom("archive");
const warcinfoId = recordId(random);
const DATE_MS = Date.UTC(2030, 0, 1);

const PAGES: Readonly<Record<string, TablePage>> = {
  "/": { body: "the first page" },
  "/copy": { body: "the first page" },
  "/moved": { status: 301, reason: "Moved", headers: [["Location", "/"]], body: "gone away" },
  "/gone": { status: 404, reason: "Not Found", body: "nothing here" },
  "/lost": { status: 404, reason: "Not Found", body: "nothing here" },
  "/late": { body: "at last", first: [{ status: 503, body: "wait" }] },
  "/secret": { body: "do not keep this" },
  "/forbidden": { body: "not for crawlers" },
  "/dead": { oddity: "reset-before-head" },
};
const WEB = new TableWeb({ "a.example": { pages: PAGES } });
const TRUTH = new TableTruth({
  "a.example/": { depth: 0 },
  "a.example/copy": { depth: 1 },
  "a.example/moved": { depth: 1 },
  "a.example/gone": { depth: 1 },
  "a.example/lost": { depth: 1 },
  "a.example/late": { depth: 1 },
  "a.example/secret": { depth: 1, isNoarchive: true },
  "a.example/dead": { depth: 1, ending: "failing" },
  "a.example/forbidden": { depth: 1, forbidden: "robots" },
});

interface Change {
  readonly body?: Uint8Array;
  readonly status?: number;
  readonly truncated?: Truncation;
}

/** The records that a right crawler makes of one page, with something changed. */
function stored(target: string, change: Change = {}, web: SyntheticWeb = WEB): WarcRecord[] {
  const capture = captureOf(target);
  const response = serve(web, target);
  const id = recordId(random);
  const head = { ...response, status: change.status ?? response.status };
  const body = change.body ?? response.body;
  const { truncated } = change;
  const record = responseRecord({
    ...capture,
    id,
    head,
    body,
    ...(truncated ? { truncated } : {}),
  });
  return [record, requestOf(target, id)];
}

function revisited(target: string, original: string, body: Uint8Array): WarcRecord[] {
  const id = recordId(random);
  const record = revisitRecord({
    ...captureOf(target),
    id,
    head: serve(WEB, target),
    bodyBytes: body.length,
    payloadDigest: sha1Digest(body),
    original: { url: `http://a.example:8080${original}`, dateMs: DATE_MS },
  });
  return [requestOf(target, id), record];
}

function noted(target: string): WarcRecord[] {
  return [metadataRecord({ ...captureOf(target), id: recordId(random), entries: [["x", "y"]] })];
}

function requestOf(target: string, concurrentTo: string): WarcRecord {
  const head = `GET ${target} HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n`;
  return requestRecord({ ...captureOf(target), id: recordId(random), head, concurrentTo });
}

function captureOf(target: string): Capture {
  return { url: `http://a.example:8080${target}`, dateMs: DATE_MS, warcinfoId };
}

function serve(web: SyntheticWeb, target: string): WebResponse {
  const headers = [["Accept-Encoding", "gzip"] as const];
  return web.respond({ host: "a.example", method: "GET", target, headers, earlierTries: 9 });
}

const FIRST_BODY = Buffer.from("the first page");

function rightArchive(): WarcRecord[] {
  return [
    warcinfoRecord({ id: warcinfoId, dateMs: DATE_MS, fileName: "x.warc.gz", entries: [] }),
    ...revisited("/copy", "/", FIRST_BODY),
    ...["/", "/moved", "/gone", "/lost", "/late"].flatMap((target) => stored(target)),
    ...noted("/secret"),
    ...stored("/robots.txt"),
  ];
}

/** Reads the records as two files of a simulated disk. */
function verdictOn(
  records: readonly WarcRecord[],
  spoil: (bytes: Buffer) => Uint8Array = (bytes) => bytes,
  web: SyntheticWeb = WEB,
  truth: TableTruth = TRUTH,
): ArchiveVerdict {
  const machine = new SimulatedMachine("archive");
  const encoder = new WarcEncoder({ compression: "gzip", level: null });
  const pieces = records.map((record) => Uint8Array.from(encoder.encode(record)));
  const examiner = new ArchiveExaminer(web, truth);
  const halves = [pieces.slice(0, 5), pieces.slice(5)];
  for (const [index, half] of halves.entries()) {
    const bytes = spoil(Buffer.concat(half));
    machine.result<void>((done) => machine.storage.replace(`warc/${index}.warc.gz`, bytes, done));
  }
  const names = halves.map((_, index) => `warc/${index}.warc.gz`);
  machine.result<void>((done) => readArchive(machine.storage, names, examiner, done));
  return examiner.finish();
}

function sinsOf(...args: Parameters<typeof verdictOn>): string[] {
  return verdictOn(...args).sins.map(({ sin, count }) => `${sin} ${count}`);
}

/** The right archive with the records of one page replaced. */
function withPage(target: string, records: readonly WarcRecord[]): WarcRecord[] {
  const url = captureOf(target).url;
  const rest = rightArchive().filter(({ fields }) => !fields.some(([, value]) => value === url));
  return [...rest, ...records];
}

test("an archive that holds what was served, copies as revisits, is clean", () => {
  const verdict = verdictOn(rightArchive());
  assert.deepEqual(verdict.sins, []);
  assert.deepEqual([verdict.due, verdict.stored], [7, 7]);
  assert.deepEqual(verdict.records, { responses: 6, revisits: 1, requests: 7, others: 2 });
});

const WRONG: readonly (readonly [what: string, records: WarcRecord[], sins: readonly string[]])[] =
  [
    ["a missing record", withPage("/gone", []), ["missing-record 1"]],
    [
      "another body",
      withPage("/late", stored("/late", { body: Buffer.from("at LAST") })),
      ["wrong-body 1"],
    ],
    [
      "a shorter body",
      withPage("/late", stored("/late", { body: Buffer.from("at l") })),
      ["wrong-body 1"],
    ],
    ["another status", withPage("/late", stored("/late", { status: 503 })), ["wrong-status 1"]],
    ["a forbidden page", [...rightArchive(), ...stored("/forbidden")], ["superfluous-record 1"]],
    [
      "a page that does not exist",
      [...rightArchive(), ...stored("/nowhere")],
      ["superfluous-record 1"],
    ],
    ["a second record", [...rightArchive(), ...stored("/moved")], ["superfluous-record 1"]],
    [
      "a page that says noarchive",
      withPage("/secret", stored("/secret")),
      ["superfluous-record 1"],
    ],
    ["a copy stored again", withPage("/copy", stored("/copy")), ["stored-twice 1"]],
    [
      "a revisit of another body",
      withPage("/copy", revisited("/copy", "/", Buffer.from("x"))),
      ["wrong-body 1", "dangling-revisit 1"],
    ],
    [
      "a revisit of a record elsewhere",
      withPage("/copy", revisited("/copy", "/late", FIRST_BODY)),
      ["dangling-revisit 1"],
    ],
    [
      "a revisit of nothing",
      revisited("/copy", "/", FIRST_BODY),
      ["missing-record 6", "dangling-revisit 1"],
    ],
  ];

for (const [what, records, sins] of WRONG) {
  test(`${what} in an archive is reported`, () => {
    assert.deepEqual(sinsOf(records), sins);
  });
}

test("a body that a limit cut is right as far as it goes", () => {
  const cut = (text: string): WarcRecord[] =>
    withPage("/late", stored("/late", { body: Buffer.from(text), truncated: "length" }));
  assert.deepEqual(sinsOf(cut("at l")), []);
  assert.deepEqual(sinsOf(cut("at X")), ["wrong-body 1"]);
});

test("damage is named with its file, and the rest is read", () => {
  const spoil = (bytes: Buffer): Uint8Array => {
    bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 255;
    return bytes;
  };
  const verdict = verdictOn(rightArchive(), spoil);
  const damaged = verdict.sins.find(({ sin }) => sin === "damaged-record");
  assert.ok((damaged?.count ?? 0) >= 1);
  assert.match(damaged?.examples[0]?.what ?? "", /^warc\/\d\.warc\.gz from byte \d+ on$/);
});

/** Packs every body for whoever accepts that. */
const PACKING: SyntheticWeb = {
  hostCount: 1,
  hostAt: (index) => WEB.hostAt(index),
  hostNamed: (name) => WEB.hostNamed(name),
  respond: (request) => {
    const response = WEB.respond(request);
    const isPacked = request.headers.some(([name]) => name === "Accept-Encoding");
    if (!isPacked) return response;
    const headers = [...response.headers, ["Content-Encoding", "gzip"] as const];
    return { ...response, headers, body: gzipSync(response.body) };
  },
};
const LATE = new TableTruth({ "a.example/late": { depth: 0 } });

test("the answer is made anew with the fields of the stored request", () => {
  assert.deepEqual(sinsOf(stored("/late", {}, PACKING), undefined, PACKING, LATE), []);
  const turned = stored("/late", {}, PACKING).reverse();
  assert.deepEqual(sinsOf(turned, undefined, PACKING, LATE), []);
});

test("an answer whose request was lost was asked for in the coding that it has", () => {
  for (const change of [{}, { body: Buffer.from("at LAST") }]) {
    const [answer] = stored("/late", change, PACKING);
    const isRight = change.body === undefined;
    assert.deepEqual(
      sinsOf([answer as WarcRecord], undefined, PACKING, LATE),
      isRight ? [] : ["wrong-body 1"],
    );
  }
});

test("any part of an odd answer that a client may get is right, with or without a record", () => {
  const body = Buffer.from("0123456789".repeat(100));
  for (const oddity of ODDITIES) {
    const web = new TableWeb({ "a.example": { pages: { "/": { body, oddity } } } });
    const truth = new TableTruth({ "a.example/": { depth: 0 } });
    const half = stored("/", { body: body.subarray(0, 500), truncated: "disconnect" }, web);
    const none = sinsOf([], undefined, web, truth);
    const isDue = /mid-body|too-large|chunked|no-length|endless/.test(oddity);
    assert.deepEqual(none, isDue ? ["missing-record 1"] : [], oddity);
    assert.deepEqual(sinsOf(half, undefined, web, truth), [], oddity);
    const wrong = stored("/", { body: body.subarray(1, 500), truncated: "disconnect" }, web);
    assert.deepEqual(sinsOf(wrong, undefined, web, truth), ["wrong-body 1"], oddity);
  }
});
