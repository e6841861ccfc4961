/** Content as servers send it, right and wrong, and what is made of it (threat row S7). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { DecodingRig, textBody } from "../../../../test/support/fetch/decoding-rig.ts";
import type { DecodedContent } from "./content-limits.ts";

const PAGE = textBody(25_000);

describe("content without encoding", () => {
  for (const header of [
    "",
    "identity",
    "none",
    " Identity , identity",
    ",,",
    "identity,".repeat(1000),
  ]) {
    test(`${JSON.stringify(header.slice(0, 30))} leaves the body as it is`, () => {
      const rig = new DecodingRig();
      const { decoded, body } = rig.decode(PAGE, header);
      assert.equal(decoded.body, body, "the very same object");
      assert.equal(decoded.truncatedBy, null);
      assert.equal(decoded.error, null);
    });
  }

  test("an empty body needs no decoding, whatever is announced", () => {
    const rig = new DecodingRig();
    const { decoded, body } = rig.decode(Buffer.alloc(0), "gzip");
    assert.equal(decoded.body, body);
    assert.equal(decoded.error, null);
  });
});

describe("content with encoding", () => {
  const encoded: readonly (readonly [string, Buffer])[] = [
    ["gzip", gzipSync(PAGE)],
    ["x-gzip", gzipSync(PAGE)],
    ["GZIP", gzipSync(PAGE)],
    [" gzip ", gzipSync(PAGE)],
    ["deflate", deflateSync(PAGE)],
    ["deflate", deflateRawSync(PAGE)],
    ["deflate", deflateSync(PAGE, { windowBits: 9 })],
    ["deflate", deflateRawSync(PAGE, { level: 0 })],
    ["br", brotliCompressSync(PAGE)],
    ["zstd", zstdCompressSync(PAGE)],
    ["gzip, identity", gzipSync(PAGE)],
    ["deflate, gzip", gzipSync(deflateSync(PAGE))],
    ["gzip, br", brotliCompressSync(gzipSync(PAGE))],
    ["zstd,deflate", deflateRawSync(zstdCompressSync(PAGE))],
    ["gzip,gzip", gzipSync(gzipSync(PAGE))],
  ];
  for (const [header, bytes] of encoded) {
    test(`${header} of ${bytes.length} bytes is decoded at once, the raw body left alone`, () => {
      const rig = new DecodingRig();
      const before = Buffer.from(bytes);
      const { decoded, body, wasInside } = rig.decode(bytes, header);
      assert.ok(wasInside, "a small body is decoded inside the call");
      assert.ok(PAGE.equals(rig.content(decoded.body)));
      assert.equal(decoded.truncatedBy, null);
      assert.equal(decoded.error, null);
      assert.ok(before.equals(rig.content(body)));
      decoded.body.release();
      body.release();
      assert.equal(rig.spool.usedBytes, 0);
    });
  }

  test("gzip members one after another are one content, and what follows them is ignored", () => {
    const parts = [PAGE.subarray(0, 1000), PAGE.subarray(1000, 1000), PAGE.subarray(1000)];
    const members = parts.map((part) => gzipSync(part));
    for (const tail of ["", "\0".repeat(600), "trailing words", "\x1f"]) {
      const rig = new DecodingRig();
      const { decoded } = rig.decode(Buffer.concat([...members, Buffer.from(tail)]), "gzip");
      assert.ok(PAGE.equals(rig.content(decoded.body)));
      assert.equal(decoded.truncatedBy, tail === "\x1f" ? "corrupt" : null, JSON.stringify(tail));
    }
  });

  test("zstd frames one after another, also skippable ones, are one content", () => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const frames = [skippable, zstdCompressSync(PAGE.subarray(0, 9000)), skippable];
    const rig = new DecodingRig();
    const { decoded } = rig.decode(
      Buffer.concat([...frames, zstdCompressSync(PAGE.subarray(9000))]),
      "zstd",
    );
    assert.ok(PAGE.equals(rig.content(decoded.body)));
    assert.equal(decoded.error, null);
  });

  test("a gzip header with name, comment, extra field and checksum is stepped over", () => {
    const plain = gzipSync(PAGE);
    const header = Buffer.from([0x1f, 0x8b, 8, 2 + 4 + 8 + 16, 0, 0, 0, 0, 0, 3]);
    const extra = Buffer.concat([Buffer.from([5, 0]), Buffer.from("extra")]);
    const names = Buffer.from("page.html\0a comment\0cc");
    const rig = new DecodingRig();
    const bytes = Buffer.concat([header, extra, names, plain.subarray(10)]);
    const { decoded } = rig.decode(bytes, "gzip");
    assert.ok(PAGE.equals(rig.content(decoded.body)));
    assert.equal(decoded.error, null);
  });

  test("a long body is decoded in turns, between which others have the thread", () => {
    const long = textBody(4_000_000);
    const rig = new DecodingRig();
    const { decoded, wasInside } = rig.decode(gzipSync(long), "gzip");
    assert.equal(wasInside, false);
    assert.ok(rig.turns >= 5, `${rig.turns} turns`);
    assert.ok(long.equals(rig.content(decoded.body)));
  });

  test("a body on disk is decoded too, to disk", () => {
    const long = textBody(6_000_000);
    for (const [header, bytes] of [
      ["gzip", gzipSync(long, { level: 1 })],
      ["br, gzip", gzipSync(brotliCompressSync(long, { params: { 1: 1 } }))],
      ["zstd", zstdCompressSync(long)],
    ] as const) {
      const rig = new DecodingRig({ memoryBytes: 400 * 1024 });
      const { decoded, body } = rig.decode(bytes, header);
      assert.equal(body.bytes, null);
      assert.equal(decoded.body.bytes, null);
      assert.ok(long.equals(rig.content(decoded.body)), header);
      assert.equal(decoded.error, null);
    }
  });
});

describe("content that is not what its header says", () => {
  const html = Buffer.from(`<!doctype html><title>plain</title>${"<p>hello world".repeat(50)}`);
  for (const header of ["gzip", "x-gzip", "deflate", "br", "zstd"]) {
    test(`an unencoded page announced as ${header} is used as received`, () => {
      const rig = new DecodingRig();
      const { decoded, body } = rig.decode(html, header);
      assert.equal(decoded.body, body);
      assert.equal(decoded.truncatedBy, null);
      assert.equal(decoded.error?.code, "FETCH_CONTENT_NOT_ENCODED");
      body.release();
      assert.equal(rig.spool.usedBytes, 0);
    });
  }

  test("an unencoded image announced as gzip is used as received", () => {
    const rig = new DecodingRig();
    const { decoded, body } = rig.decode(Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1"), "gzip");
    assert.equal(decoded.body, body);
    assert.equal(decoded.error?.code, "FETCH_CONTENT_NOT_ENCODED");
  });

  test("an encoding announced twice but applied once is taken off once", () => {
    const rig = new DecodingRig();
    const { decoded } = rig.decode(gzipSync(PAGE), "gzip, gzip");
    assert.ok(PAGE.equals(rig.content(decoded.body)));
    assert.equal(decoded.truncatedBy, null);
    assert.equal(decoded.error?.code, "FETCH_CONTENT_NOT_ENCODED");
  });

  for (const header of [
    "compress",
    "utf-8",
    "gzip, rot13",
    "sdch",
    "\x1b[31mgzip",
    "x".repeat(9000),
  ]) {
    test(`the unknown encoding ${JSON.stringify(header.slice(0, 20))} has its own error`, () => {
      const rig = new DecodingRig();
      const { decoded, body } = rig.decode(PAGE, header);
      assert.equal(decoded.body, body);
      assert.equal(decoded.truncatedBy, null);
      assert.equal(decoded.error?.code, "FETCH_CONTENT_UNKNOWN_ENCODING");
      assert.ok((decoded.error?.message.length ?? 0) < 300);
      assert.ok(!decoded.error?.message.includes("\x1b"));
    });
  }
});

describe("content that is damaged", () => {
  const long = textBody(300_000);
  const encoders: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ["gzip", (bytes) => gzipSync(bytes)],
    ["deflate", (bytes) => deflateSync(bytes)],
    ["deflate", (bytes) => deflateRawSync(bytes)],
    ["br", (bytes) => brotliCompressSync(bytes, { params: { 1: 5 } })],
    ["gzip, deflate", (bytes) => deflateSync(gzipSync(bytes))],
  ];
  for (const [header, encode] of encoders) {
    for (const content of [PAGE, long]) {
      test(`${header} of ${content.length} bytes that is truncated is kept up to there`, () => {
        const whole = encode(content);
        const rig = new DecodingRig();
        const { decoded } = rig.decode(whole.subarray(0, whole.length >> 1), header);
        const kept = Buffer.from(rig.content(decoded.body));
        assert.equal(decoded.truncatedBy, "corrupt");
        assert.equal(decoded.error?.code, "FETCH_CONTENT_CORRUPT");
        assert.equal(decoded.error.facts["how"], "cut", "what is kept is right");
        assert.ok(kept.length > content.length / 4, `${kept.length} bytes are kept`);
        assert.ok(kept.equals(content.subarray(0, kept.length)));
      });
    }
  }

  test("a broken middle costs only what comes after it", () => {
    for (const [header, encode] of encoders.slice(0, 3)) {
      const bytes = Buffer.from(encode(PAGE));
      bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 40);
      const rig = new DecodingRig();
      const { decoded } = rig.decode(bytes, header);
      const kept = Buffer.from(rig.content(decoded.body));
      // zlib's own checksum is not compared, so garbage that decodes is not always found out.
      if (header === "gzip") assert.equal(decoded.truncatedBy, "corrupt");
      let same = 0;
      while (same < kept.length && kept[same] === PAGE[same]) same += 1;
      assert.ok(same > PAGE.length / 4, `${header}: ${same} bytes are right`);
    }
  });

  test("a wrong checksum is reported, and nothing is lost", () => {
    const bytes = Buffer.from(gzipSync(PAGE));
    bytes.writeUInt32LE(12345, bytes.length - 8);
    const rig = new DecodingRig();
    const { decoded } = rig.decode(bytes, "gzip");
    assert.ok(PAGE.equals(rig.content(decoded.body)));
    assert.equal(decoded.truncatedBy, "corrupt");
    assert.equal(decoded.error?.facts["how"], "damaged", "some of it may be garbage");
  });
});

test("when the disk is full under the decoded body, an empty one says so", () => {
  const rig = new DecodingRig({ memoryBytes: 400 * 1024 });
  rig.disk.capacityBytes = 100_000;
  const { decoded } = rig.decode(gzipSync(Buffer.alloc(3_000_000, "a very long line ")), "gzip");
  assert.equal(decoded.truncatedBy, "disk");
  assert.equal(decoded.error?.code, "FETCH_BODY_NO_ROOM");
  assert.equal(decoded.body.lengthBytes, 0);
});

test("when the body on disk cannot be read, what was decoded is kept", () => {
  const rig = new DecodingRig({ memoryBytes: 400 * 1024 });
  let reads = 0;
  rig.disk.failWhen = (call) => {
    reads += call.kind === "read" ? 1 : 0;
    return reads > 5;
  };
  const { decoded } = rig.decode(gzipSync(textBody(6_000_000), { level: 1 }), "gzip");
  assert.equal(decoded.truncatedBy, "disk");
  assert.equal(decoded.error?.code, "FETCH_BODY_NOT_KEPT");
});

test("a fault while a body is decoded leaves the body as received, and nothing of what was decoded", () => {
  const rig = new DecodingRig({ memoryBytes: 2 ** 20 });
  const bytes = gzipSync(textBody(4_000_000), { level: 1 });
  const body = rig.body(bytes);
  const heldBytes = rig.spool.usedBytes;
  let reads = 0;
  const { read } = body;
  body.read = (...args) => {
    reads += 1;
    if (reads > 3) assert.fail("planted");
    read.apply(body, args);
  };
  const answers: DecodedContent[] = [];
  rig.decoder.decode(body, "gzip", (decoded) => answers.push(decoded));
  rig.time.settle();
  assert.deepEqual(
    answers.map(({ error, truncatedBy }) => [error?.code, truncatedBy]),
    [["INTERNAL_DECODE", "corrupt"]],
  );
  assert.equal(answers[0]?.body, body);
  assert.equal(rig.spool.usedBytes, heldBytes);
});
