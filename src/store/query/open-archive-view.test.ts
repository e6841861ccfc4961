import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import {
  answer,
  bodiesOf,
  warcRecord,
  withArchives,
} from "../../../test/support/store/archives.ts";

const info = warcRecord("warcinfo", "urn:x:y", {}, "software: x\r\n");
const THREE = ["one: 1", "two: 2", "three: 3"];

test("records that share a member are each read, wherever the member is in its file", async () => {
  await withArchives(async (rig) => {
    for (const pack of [gzipSync, zstdCompressSync]) {
      const shared = pack(Buffer.concat([answer("two", "2"), answer("three", "3")]));
      const files = {
        "behind.warc.gz": [pack(info), pack(answer("one", "1")), shared],
        "first.warc.gz": [pack(Buffer.concat([info, answer("one", "1")])), shared],
        "all.warc.gz": [pack(Buffer.concat([info, answer("one", "1")])), shared],
      };
      for (const [name, pieces] of Object.entries(files)) {
        const path = rig.file(name, Buffer.concat(pieces));
        const view = await rig.open([path]);
        assert.deepEqual(await bodiesOf(view), THREE, name);
        await view.close();
      }
    }
    assert.equal(rig.notes.length, 6);
    assert.ok(rig.notes.every((note) => /unpacked to be read/.test(note)));
  });
});

test("a file that is unpacked after others were read leaves their lines as they are", async () => {
  await withArchives(async (rig) => {
    const shared = gzipSync(Buffer.concat([answer("two", "2"), answer("three", "3")]));
    const first = rig.file("a.warc.gz", gzipSync(answer("one", "1")));
    const second = rig.file("b.warc.gz", Buffer.concat([gzipSync(answer("x", "x")), shared]));
    const view = await rig.open([first, second, first]);
    assert.deepEqual(await bodiesOf(view), ["one: 1", "x: x", "two: 2", "three: 3", "one: 1"]);
    const names = (await view.archiveFiles()).map(({ name }) => name);
    assert.deepEqual(names, ["2-a.warc.gz", "a.warc.gz", "b.warc"], "its name says what it is");
    await view.close();
  });
});

test("what is compressed twice is told, and not taken for something else", async () => {
  await withArchives(async (rig) => {
    const inner = gzipSync(Buffer.concat([answer("one", "1"), answer("two", "2")]));
    const outer = gzipSync(Buffer.concat([answer("x", "x"), answer("y", "y"), inner]));
    const view = await rig.open([rig.file("twice.warc.gz", outer)]);
    assert.deepEqual(await bodiesOf(view), []);
    assert.match(rig.notes.join("\n"), /compressed twice/);
    await view.close();
  });
});

test("files of an archive are whole, also behind their last answer and without any", async () => {
  await withArchives(async (rig) => {
    const metadata = warcRecord("metadata", "http://a.test/one", {}, "outlink: x");
    const bytes = Buffer.concat([gzipSync(answer("one", "1")), gzipSync(metadata)]);
    const without = gzipSync(info);
    const paths = [rig.file("a.warc.gz", bytes), rig.file("info.warc.gz", without)];
    const view = await rig.open(paths);
    assert.deepEqual(await view.archiveFiles(), [
      { name: "a.warc.gz", lengthBytes: bytes.length },
      { name: "info.warc.gz", lengthBytes: without.length },
    ]);
    await view.close();
  });
});

/** Each file, what is read of it, and what is told. */
const HOSTILE: readonly [name: string, bytes: () => Uint8Array, bodies: number, told: RegExp][] = [
  ["empty", () => new Uint8Array(0), 0, /no records: it is empty/],
  ["noise", () => Buffer.alloc(200_000, 7), 0, /no record begins here/],
  ["text", () => Buffer.from("just a text\n".repeat(20_000)), 0, /no records/],
  ["a page", () => Buffer.from("<html><title>x</title>\n"), 0, /no records/],
  ["zip", () => Buffer.from("PK\x03\x04".padEnd(400, "x")), 0, /no records/],
  ["an empty member", () => gzipSync(""), 0, /no records/],
  ["many empty members", () => Buffer.concat(Array(2000).fill(gzipSync(""))), 0, /no records/],
  [
    "a head that does not end",
    () => Buffer.from(`WARC/1.1\r\n${"X-Header: value\r\n".repeat(200_000)}`),
    0,
    /head does not end/,
  ],
  [
    "a line that does not end",
    () => Buffer.from(`WARC/1.1\r\nX: ${"x".repeat(3_000_000)}`),
    0,
    /head does not end/,
  ],
  [
    "a length beyond the file",
    () => Buffer.from("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 999999\r\n\r\nx"),
    0,
    /ends 999998 bytes before its block does/,
  ],
  [
    "a length beyond all files",
    () =>
      Buffer.concat([
        Buffer.from(`WARC/1.1\r\nContent-Length: ${"9".repeat(15)}\r\n\r\nx\r\n`),
        answer("one", "1"),
      ]),
    1,
    /larger than/,
  ],
  [
    "lengths that are not numbers",
    () =>
      Buffer.concat(
        ["-1", "1e9", "0x10", "", "9".repeat(40)].map((text) =>
          Buffer.from(`WARC/1.1\r\nContent-Length: ${text}\r\n\r\nx\r\n`),
        ),
      ),
    0,
    /Content-Length is not a number/,
  ],
  [
    "a length that is too short",
    () =>
      Buffer.concat([
        Buffer.from("WARC/1.1\r\nWARC-Type: x\r\nContent-Length: 2\r\n\r\nmore than two\r\n"),
        answer("one", "1"),
      ]),
    1,
    /no record begins here/,
  ],
  ["a cut member", () => gzipSync(answer("one", "x".repeat(9999))).subarray(0, 120), 0, /./],
  ["a zstd frame that is cut", () => zstdCompressSync(answer("one", "1")).subarray(0, 60), 0, /./],
  [
    "marks without members",
    () => Buffer.from("\x1f\x8b\x08\0\0\0\0\0\0\x03".repeat(5000), "latin1"),
    0,
    /./,
  ],
];

for (const [name, bytes, bodies, told] of HOSTILE) {
  test(`a file that is no good archive has a clear outcome: ${name}`, async () => {
    await withArchives(async (rig) => {
      const view = await rig.open([rig.file("hostile.warc.gz", bytes())]);
      assert.equal((await bodiesOf(view)).length, bodies);
      assert.match(rig.notes.join("\n"), told);
      assert.ok(rig.notes.length <= 10, "a user reads a few lines, not thousands");
      await view.close();
    });
  });
}

test("chunks that are garbage give what can be joined, and never more than was stored", async () => {
  await withArchives(async (rig) => {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    const chunks = {
      whole: "3\r\nabc\r\n0\r\n\r\n",
      cut: "ffffff\r\nabc",
      none: "not chunks at all",
      negative: "-3\r\nabc",
      late: "3\r\nabc\r\nzz\r\n",
    };
    const records = Object.entries(chunks).map(([name, body]) =>
      warcRecord("response", `http://a.test/${name}`, {}, head + body),
    );
    const view = await rig.open([rig.file("chunks.warc", Buffer.concat(records))]);
    assert.deepEqual(await bodiesOf(view), [
      ...["whole: abc", "cut: abc", "none: not chunks at all", "negative: -3\r\nabc", "late: abc"],
    ]);
    await view.close();
  });
});

test("a bomb is unpacked up to its limits, and this is said", async () => {
  await withArchives(async (rig) => {
    const bomb = gzipSync(
      Buffer.concat([answer("one", "1"), answer("two", "2"), Buffer.alloc(40_000_000)]),
    );
    const path = rig.file("bomb.warc.gz", bomb);
    const limits = { bytesMax: 1e9, ratioMax: 100, ratioFromBytes: 1_000_000 };
    const view = await rig.open([path], limits);
    assert.deepEqual(await bodiesOf(view), ["one: 1", "two: 2"]);
    assert.match(rig.notes.join("\n"), /decompression bomb/);
    const [{ lengthBytes = 0 } = {}] = await view.archiveFiles();
    assert.ok(lengthBytes <= 100 * bomb.length, String(lengthBytes));
    await view.close();
  });
});

test("a file that disappears while it is read is an error that names it", async () => {
  await withArchives(async (rig) => {
    const path = join(rig.folder, "gone.warc.gz");
    await assert.rejects(rig.open([path]), { code: "STORAGE_FAILED", message: /gone\.warc\.gz/ });
    await assert.rejects(rig.open([rig.folder]), { code: "USAGE_BAD_ARGUMENT" });
    assert.ok(readdirSync(rig.folder).length > 0);
  });
});
