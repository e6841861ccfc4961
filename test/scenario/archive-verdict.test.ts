/** An archive of a whole generated web, made as the contract says, is clean; a wrong one is not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import {
  metadataRecord,
  recordId,
  requestRecord,
  responseRecord,
  revisitRecord,
  sha1Digest,
  type Truncation,
  WarcEncoder,
  type WarcRecord,
} from "../../src/formats/warc/index.ts";
import {
  ArchiveExaminer,
  type ArchiveVerdict,
  changedProfile,
  DEFAULT_TRUTH_RULES,
  GeneratedWeb,
  PROFILES,
  readArchive,
  Truth,
} from "../../src/lab/simweb/index.ts";
import type { Expectation } from "../../src/lab/simweb/truth/expectation.ts";
import { SimulatedMachine } from "../support/lab/simulated-machine.ts";

const HEADERS = [["Accept-Encoding", "gzip, br"] as const];
const DATE_MS = Date.UTC(2030, 0, 1);

/** Writes what a right crawler keeps of each page. */
class Archivist {
  readonly records: WarcRecord[] = [];
  readonly #web: GeneratedWeb;
  readonly #random = new SeededRandom("archive");
  readonly #urlOfBody = new Map<string, string>();

  constructor(web: GeneratedWeb) {
    this.#web = web;
  }

  keep({ url, isNoarchive }: Expectation): void {
    const { hostname: host, pathname, search } = new URL(url);
    const target = pathname + search;
    const request = { host, method: "GET", target, headers: HEADERS, earlierTries: 9 };
    const response = this.#web.respond(request);
    const { oddity } = response;
    const isCut = oddity !== null && /mid-body|broken|too-large|endless/.test(oddity);
    if (oddity !== null && !isCut && !/^(?:chunked|no-length-close)$/.test(oddity)) return;
    const id = recordId(this.#random);
    const capture = { url, dateMs: DATE_MS, warcinfoId: id, id, head: response };
    if (isNoarchive) this.records.push(metadataRecord({ ...capture, entries: [["a", "b"]] }));
    else if (isCut) this.records.push(responseRecord({ ...capture, ...halfOf(response.body) }));
    else this.records.push(this.#content(capture, response.body));
    const lines = HEADERS.map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
    const own = { ...capture, id: recordId(this.#random), head, concurrentTo: id };
    this.records.push(requestRecord(own));
  }

  #content(
    capture: Omit<Parameters<typeof responseRecord>[0], "body">,
    body: Uint8Array,
  ): WarcRecord {
    const payloadDigest = sha1Digest(body);
    const first = this.#urlOfBody.get(payloadDigest);
    const isGood = capture.head.status < 300 && body.length > 0;
    if (first === undefined || !isGood) {
      if (isGood) this.#urlOfBody.set(payloadDigest, capture.url);
      return responseRecord({ ...capture, body });
    }
    const original = { url: first, dateMs: DATE_MS };
    return revisitRecord({ ...capture, bodyBytes: body.length, payloadDigest, original });
  }
}

function halfOf(body: Uint8Array): { readonly body: Uint8Array; readonly truncated: Truncation } {
  return { body: body.subarray(0, body.length >>> 1), truncated: "disconnect" };
}

function judged(web: GeneratedWeb, truth: Truth, records: readonly WarcRecord[]): ArchiveVerdict {
  const machine = new SimulatedMachine("archive");
  const encoder = new WarcEncoder({ compression: "gzip", level: 1 });
  const bytes = Buffer.concat(records.map((record) => Uint8Array.from(encoder.encode(record))));
  machine.result<void>((done) => machine.storage.replace("warc/all.warc.gz", bytes, done));
  const examiner = new ArchiveExaminer(web, truth);
  machine.result<void>((done) =>
    readArchive(machine.storage, ["warc/all.warc.gz"], examiner, done),
  );
  return examiner.finish();
}

test("the archive of a realistic web is clean, and not without a record or with one changed", () => {
  const profile = changedProfile(PROFILES.realistic, { hosts: { count: 6, pages: 200 } });
  const web = new GeneratedWeb({ profile, seed: 5, port: 8080 });
  const truth = new Truth(web, { ...DEFAULT_TRUTH_RULES, seeds: web.seeds(), scope: "any" });
  const archivist = new Archivist(web);
  for (const expectation of truth.expectations()) {
    const isAnswered = expectation.outcomes.some((one) => /page|redirect|error/.test(one));
    if (expectation.due === "must" && isAnswered) archivist.keep(expectation);
  }
  const verdict = judged(web, truth, archivist.records);
  assert.deepEqual(verdict.sins, []);
  assert.equal(verdict.stored, verdict.due);
  assert.ok(verdict.records.revisits > 0 && verdict.records.responses > 100);
  const index = archivist.records.findIndex(({ type }) => type === "response");
  const less = judged(web, truth, archivist.records.toSpliced(index, 2));
  assert.ok(less.sins.some(({ sin }) => sin === "missing-record"));
});
