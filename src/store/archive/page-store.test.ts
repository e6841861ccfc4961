import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  anyPage,
  DiskBody,
  MemoryBody,
  pageOf,
  StoreRig,
} from "../../../test/support/store/store-rig.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { parseHttpBlock, verifyRecord } from "../../formats/warc/index.ts";
import { noteOf } from "./index.ts";

function openedRig(options: ConstructorParameters<typeof StoreRig>[1] = {}): StoreRig {
  const rig = new StoreRig("page store", options);
  rig.open();
  return rig;
}

function typesOf(rig: StoreRig): string[] {
  return rig.allRecords().map(({ type }) => type);
}

test("a new page becomes a request, a response and a line", () => {
  const rig = openedRig();
  const stored = rig.put(pageOf(7));
  rig.close();
  assert.deepEqual(typesOf(rig), ["warcinfo", "request", "response"]);
  const [line, ...more] = rig.check();
  assert.ok(line && more.length === 0);
  assert.deepEqual(line.place, stored.place);
  assert.equal(line.digest, stored.digest);
  assert.equal(noteOf(line, "links"), "7");
  const [info, request, response] = rig.allRecords();
  assert.ok(info && request && response);
  const id = response.fields.get("WARC-Record-ID");
  assert.equal(request.fields.get("WARC-Concurrent-To"), id);
  assert.equal(response.fields.get("WARC-Warcinfo-ID"), info.fields.get("WARC-Record-ID"));
  assert.equal(response.fields.get("WARC-IP-Address"), "192.0.2.1");
});

test("a commit syncs no file that has nothing new", () => {
  const rig = openedRig();
  const { disk } = rig.machine;
  const syncsIn = (act: () => void): number => {
    let syncs = 0;
    disk.failWhen = ({ kind }) => {
      if (kind === "sync") syncs += 1;
      return false;
    };
    act();
    return syncs;
  };
  rig.put(pageOf(1));
  assert.ok(syncsIn(() => rig.commit()) > 0);
  assert.equal(
    syncsIn(() => rig.commit()),
    0,
  );
  rig.put(pageOf(2));
  assert.equal(
    syncsIn(() => rig.commit()),
    2,
    "archive and crawl log",
  );
});

test("the request record is what was sent, and says when that was HTTP/2", () => {
  const rig = openedRig();
  const head = "GET /\xe9 HTTP/1.1\r\nHost: h\r\nCookie: a=1\r\n\r\n";
  rig.put(pageOf(1, { request: { head, protocol: "http/1.1" } }));
  rig.put(pageOf(2, { request: { head, protocol: "h2" } }));
  rig.close();
  const [, first, , second, answer] = rig.allRecords();
  assert.equal(Buffer.from(first?.block ?? []).toString("latin1"), head);
  assert.equal(first?.fields.get("WARC-Protocol"), null);
  assert.equal(second?.fields.get("WARC-Protocol"), "h2");
  assert.equal(answer?.fields.get("WARC-Protocol"), "h2");
});

test("a file has no request record, in memory or on disk", () => {
  const rig = openedRig();
  rig.put(pageOf(1, { request: null }));
  const body = new DiskBody(Buffer.from("a file on disk"), rig.machine.time);
  rig.put(pageOf(2, { request: null, body }));
  rig.close();
  assert.deepEqual(typesOf(rig).toSorted(), ["response", "response", "warcinfo", "warcinfo"]);
});

test("what a protocol module fetched is a resource, in memory or on disk", () => {
  const rig = openedRig();
  const url = (path: string): string => `ftp://a.test/${path}`;
  const response = { status: 200, reason: "", headers: [["content-type", "text/csv"]] as const };
  const facts = { request: null, response };
  const body = new DiskBody(Buffer.from("a,b on disk"), rig.machine.time);
  rig.put(pageOf(1, { ...facts, url: url("1") }));
  rig.put(pageOf(2, { ...facts, url: url("2"), body }));
  rig.put(pageOf(1, { ...facts, url: url("again") }));
  rig.put(pageOf(3, { ...facts, url: url("gone"), response: { ...response, status: 404 } }));
  rig.close();
  rig.check();
  const found = rig.allRecords().filter(({ type }) => type !== "warcinfo");
  const shown = found.map(({ type, fields, block, targetUri }) => [
    ...[type, targetUri, fields.get("Content-Type")],
    type === "metadata" ? /^status: 404/.test(Buffer.from(block).toString()) : block.length > 0,
  ]);
  assert.deepEqual(
    shown.toSorted((one, other) => String(one[1]).localeCompare(String(other[1]))),
    [
      ["resource", url("1"), "text/csv", true],
      ["resource", url("2"), "text/csv", true],
      ["revisit", url("again"), null, false],
      ["metadata", url("gone"), "application/warc-fields", true],
    ],
  );
  const onDisk = found.find(({ targetUri }) => targetUri === url("2"));
  assert.equal(Buffer.from(onDisk?.block ?? []).toString(), "a,b on disk");
});

test("a file's first record has its name, and the file is open until it is closed", () => {
  const rig = openedRig();
  rig.put(pageOf(1));
  rig.commit();
  const [open, ...more] = rig.warcNames();
  assert.deepEqual(more, []);
  assert.match(open ?? "", /^warc\/crawl-\d{17}-00000-agent-1\.warc\.gz\.open$/);
  rig.close();
  const [name = ""] = rig.warcNames();
  assert.equal(`${name}.open`, open);
  assert.equal(rig.records(name)[0]?.fields.get("WARC-Filename"), name.slice("warc/".length));
});

test("a file that has reached the size asked for is closed, and not before", () => {
  const warcBytesMax = 4000;
  const rig = openedRig({ warcBytesMax, encoding: { compression: "none", level: null } });
  for (let number = 0; number < 20; number += 1) rig.put(pageOf(number));
  rig.close();
  const sizes = rig.warcNames().map((name) => rig.machine.disk.contentOf(name)?.length ?? 0);
  assert.ok(sizes.length > 5, `${sizes}`);
  const last = sizes.pop() ?? 0;
  const exchanges = rig.warcNames().map((name) => {
    const records = rig.records(name).filter(({ type }) => type !== "warcinfo");
    return records.slice(-2).reduce((sum, { lengthBytes }) => sum + lengthBytes, 0);
  });
  sizes.forEach((bytes, at) => {
    assert.ok(bytes >= warcBytesMax, `file ${at} of ${bytes} bytes was closed too early`);
    assert.ok(bytes - (exchanges[at] ?? 0) < warcBytesMax, `file ${at} of ${bytes} was overfull`);
  });
  assert.ok(last - (exchanges.at(-1) ?? 0) < warcBytesMax);
});

test("a body that the archive has becomes a revisit that names the first page", () => {
  const rig = openedRig();
  const body = new MemoryBody(Buffer.from("the same"));
  rig.put(pageOf(1, { body }));
  const again = rig.put(pageOf(2, { body }));
  assert.equal(again.duplicateOf, pageOf(1).url);
  rig.close();
  assert.deepEqual(typesOf(rig), ["warcinfo", "request", "response", "request", "revisit"]);
  const revisit = rig.allRecords().at(-1);
  assert.equal(revisit?.fields.get("WARC-Refers-To-Target-URI"), pageOf(1).url);
  assert.equal(revisit?.fields.get("WARC-Truncated"), "length", "its body is left out");
  assert.equal(
    revisit?.fields.get("WARC-Refers-To-Date"),
    new Date(1_700_000_000_001).toISOString(),
  );
  assert.equal(noteOf(rig.check()[1] ?? assert.fail(), "duplicate"), pageOf(1).url);
});

test("a revisit names a page that was stored before the process ended", () => {
  const rig = openedRig();
  const body = new MemoryBody(Buffer.from("the same"));
  rig.put(pageOf(1, { body }));
  rig.close();
  rig.open();
  assert.equal(rig.put(pageOf(2, { body })).duplicateOf, pageOf(1).url);
  rig.close();
  assert.deepEqual(
    rig.warcNames().map((name) => name.split("-").slice(2, 3)),
    [["00000"], ["00001"]],
  );
});

test("what no revisit may name is not named after the process has ended either", () => {
  const notFound = { response: { status: 404, reason: "", headers: [] } };
  const { crawl } = pageOf(1);
  const robots = { crawl: { ...crawl, notes: [["robots"]] as const } };
  const kinds = [notFound, { truncatedBy: "time" }, { keep: "metadata" }, robots] as const;
  for (const more of [...kinds, { keep: "nothing" } as const]) {
    const rig = openedRig();
    const body = new MemoryBody(Buffer.from("the same"));
    rig.put(pageOf(1, { body, ...more }));
    rig.close();
    rig.open();
    assert.equal(rig.put(pageOf(2, { body })).duplicateOf, null, JSON.stringify(more));
    rig.close();
  }
});

test("answers that the archive will not have are to be kept for a replay, those of sitemaps too", () => {
  const journal = { number: 0, count: 1 };
  const kinds = [{}, { isPage: false }, { keep: "nothing", isPage: false }] as const;
  const wanted = ([true, false] as const).map((archives) => {
    const rig = openedRig({ journal, archives });
    const wants = kinds.map((more) => rig.store.wantsAnswer(pageOf(1, more)));
    rig.close();
    return wants;
  });
  assert.deepEqual(wanted, [
    [false, false, true],
    [true, true, true],
  ]);
});

for (const note of [["robots"], ["sitemap"]] as const) {
  test(`the log is cut at the line of a ${note} whose answer was not kept, and not before`, () => {
    const options = { archives: false, journal: { number: 0, count: 1 }, replayFrom: 0 };
    const rig = openedRig(options);
    const { crawl } = pageOf(1);
    for (const number of [1, 2]) {
      const page = pageOf(number, { crawl: { ...crawl, notes: [note] }, isPage: false });
      if (number === 1) rig.machine.result((done) => rig.store.keepAnswer(page, done));
      rig.put(page);
    }
    rig.commit();
    rig.machine.crash();
    rig.open();
    assert.deepEqual(rig.store.cuts, { records: 0, lines: 1 });
    rig.close();
  });
}

for (const [what, more] of [
  ["an empty body", { body: new MemoryBody(new Uint8Array(0)) }],
  ["an error page", { response: { status: 404, reason: "", headers: [] } }],
  ["a redirect", { response: { status: 301, reason: "", headers: [] } }],
  ["a body that was cut", { truncatedBy: "time" }],
] as const) {
  test(`${what} is stored each time`, () => {
    const rig = openedRig();
    const body = new MemoryBody(Buffer.from("again"));
    for (const number of [1, 2])
      assert.equal(rig.put(pageOf(number, { body, ...more })).duplicateOf, null);
    rig.close();
    assert.deepEqual(typesOf(rig), ["warcinfo", "request", "response", "request", "response"]);
  });
}

test("a body that was cut says so in its record and its line", () => {
  const rig = openedRig();
  rig.put(pageOf(1, { truncatedBy: "length" }));
  rig.close();
  assert.equal(rig.allRecords().at(-1)?.fields.get("WARC-Truncated"), "length");
  assert.equal(noteOf(rig.check()[0] ?? assert.fail(), "truncated"), "length");
});

test("of a page that asks not to be archived only metadata is kept", () => {
  const rig = openedRig();
  rig.put(pageOf(1, { keep: "metadata" }));
  rig.put(pageOf(2, { body: pageOf(1).body }));
  rig.close();
  assert.deepEqual(typesOf(rig), ["warcinfo", "metadata", "request", "response"]);
  assert.doesNotMatch(Buffer.from(rig.allRecords()[1]?.block ?? []).toString(), /<p>page/);
  assert.equal(noteOf(rig.check()[0] ?? assert.fail(), "noarchive"), "");
});

test("a page that the filter keeps out of the store has a line and no record", () => {
  const rig = openedRig();
  assert.equal(rig.put(pageOf(1, { keep: "nothing" })).place, null);
  rig.close();
  assert.deepEqual(rig.warcNames(), []);
  assert.equal(noteOf(rig.check()[0] ?? assert.fail(), "unstored"), "");
});

test("a full file is closed and another one begun, and no exchange is parted", () => {
  const rig = openedRig({ warcBytesMax: 2000 });
  for (let number = 0; number < 30; number += 1) rig.put(pageOf(number));
  rig.close();
  assert.ok(rig.warcNames().length > 3);
  assert.equal(rig.check().length, 30);
  for (const name of rig.warcNames()) {
    const [first, ...rest] = rig.records(name).map(({ type }) => type);
    assert.equal(first, "warcinfo");
    assert.deepEqual(
      rest,
      rest.map((_, index) => (index % 2 === 0 ? "request" : "response")),
    );
  }
});

test("a body on disk is stored in pieces, while other pages go on", () => {
  const rig = openedRig();
  const content = new Uint8Array(900_000).map((_, at) => (at * at) & 255);
  const body = new DiskBody(content, rig.machine.time);
  let wasStored = false;
  rig.store.storeSpooled(pageOf(1, { body }), (error, _stored) => {
    assert.equal(error, null);
    wasStored = true;
  });
  rig.put(pageOf(2));
  while (!wasStored) assert.ok(rig.machine.time.step());
  rig.put(pageOf(3, { body: new DiskBody(content, rig.machine.time) }));
  rig.close();
  assert.ok(body.mostBytesAsked < 300_000, "it was not loaded as a whole");
  const stored = rig
    .allRecords()
    .find((record) => record.targetUri === pageOf(1).url && record.type === "response");
  assert.ok(stored);
  assert.deepEqual(verifyRecord(stored), { block: "right", payload: "right" });
  assert.deepEqual(Buffer.from(parseHttpBlock(stored.block)?.payload ?? []), Buffer.from(content));
  assert.deepEqual(
    rig.check().map((line) => noteOf(line, "duplicate")),
    [null, null, pageOf(1).url],
  );
});

test("bodies on disk that come together are stored one after the other, each of them", () => {
  const rig = openedRig();
  const stored: number[] = [];
  for (const number of [1, 2, 3]) {
    const body = new DiskBody(Buffer.from(`body ${number}`), rig.machine.time);
    rig.store.storeSpooled(pageOf(number, { body }), (error, _stored) => {
      assert.equal(error, null);
      stored.push(number);
    });
  }
  rig.machine.time.settle();
  assert.deepEqual(stored, [1, 2, 3]);
  rig.close();
  assert.equal(rig.check().length, 3);
});

test("of a body on disk that cannot be read to its end nothing is left in the archive", () => {
  const rig = openedRig();
  const body = new DiskBody(new Uint8Array(900_000), rig.machine.time);
  let code = "";
  rig.store.storeSpooled(pageOf(1, { body }), (error, _stored) => {
    code = error?.code ?? "good";
  });
  while (rig.warcNames().length === 0) assert.ok(rig.machine.time.step());
  body.failure = new CrawlError("STORAGE_FAILED", "The disk broke.");
  while (code === "") assert.ok(rig.machine.time.step());
  assert.equal(code, "STORE_FAILED");
  rig.put(pageOf(2));
  rig.close();
  assert.equal(rig.check().length, 1);
});

test("whatever is stored is read back as it was", () => {
  const run = fc.record({
    seed: fc.nat(),
    count: fc.integer({ min: 1, max: 25 }),
    compression: fc.constantFrom("gzip" as const, "zstd" as const, "none" as const),
    warcBytesMax: fc.constantFrom(1000, 5000, 100_000),
    commits: fc.nat(5),
  });
  fc.assert(
    fc.property(run, ({ seed, count, compression, warcBytesMax, commits }) => {
      const encoding = { compression, level: null };
      const rig = openedRig({ encoding, warcBytesMax, chunkBytes: 3000, pendingBytesMax: 9000 });
      const random = new SeededRandom(seed);
      const pages = Array.from({ length: count }, (_, number) =>
        anyPage(number, random, rig.machine.time),
      );
      for (const page of pages) {
        rig.put(page);
        if (random.below(6) < commits) rig.commit();
      }
      rig.close();
      const lines = rig.check();
      assert.deepEqual(
        lines.map(({ url, result, bodyBytes }) => [url, result, bodyBytes]),
        pages.map(({ url, response, body }) => [url, response.status, body.lengthBytes]),
      );
      for (const record of rig.allRecords()) {
        const verdict = verifyRecord(record);
        if (verdict.block !== "right") assert.equal(record.type, "response");
        assert.notEqual(verdict.block, "wrong");
        assert.equal(verdict.payload ?? verdict.block, "right");
      }
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 1000 : 60 },
  );
});
