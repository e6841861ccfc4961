/** Content made to exhaust its decoder (threat row S7) is cut and reported, and costs little. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  brotliCompressSync,
  constants,
  createZstdCompress,
  deflateRawSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { DecodingRig, textBody } from "../../../../test/support/fetch/decoding-rig.ts";
import type { DecodingLimits } from "./content-limits.ts";

const MIB = 2 ** 20;
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
/** A last, empty deflated block, and a trailer that is never read. */
const GZIP_END = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** 10 MiB of zeros, deflated so that the piece can be repeated. */
const ZEROS = deflateRawSync(Buffer.alloc(10 * MIB), { finishFlush: constants.Z_FULL_FLUSH });
const RAW_BOMB = Buffer.concat([...Array.from({ length: 1024 }, () => ZEROS), GZIP_END]);
const GZIP_BOMB = Buffer.concat([GZIP_HEADER, RAW_BOMB]);
const BROTLI_BOMB = brotliCompressSync(Buffer.alloc(64 * MIB), { params: { 1: 5 } });
const ZSTD_FRAME = zstdCompressSync(Buffer.alloc(64 * MIB));
const ZSTD_BOMB = Buffer.concat(Array.from({ length: 160 }, () => ZSTD_FRAME));
const SMALL_GZIP_BOMB = gzipSync(Buffer.alloc(60 * MIB));

interface Case {
  readonly name: string;
  readonly bytes: Buffer;
  readonly header: string;
  readonly by: "length" | "ratio";
  readonly keptBytes: number;
  readonly limits?: Partial<DecodingLimits>;
}

/** How many bytes the ratio allows for this many. */
function byRatio(bytes: Buffer): number {
  return Math.max(MIB, 100 * bytes.length);
}

const cases: readonly Case[] = [
  {
    name: "gzip, 10 MB to 10 GB",
    bytes: GZIP_BOMB,
    header: "gzip",
    by: "length",
    keptBytes: 10 * MIB,
  },
  {
    name: "bare deflate, 10 MB to 10 GB",
    bytes: RAW_BOMB,
    header: "deflate",
    by: "length",
    keptBytes: 10 * MIB,
  },
  {
    name: "zlib's deflate, 10 MB to 10 GB",
    bytes: Buffer.concat([Buffer.from([0x78, 0x9c]), RAW_BOMB]),
    header: "deflate",
    by: "length",
    keptBytes: 10 * MIB,
  },
  {
    name: "brotli, 64 MB from nothing",
    bytes: BROTLI_BOMB,
    header: "br",
    by: "ratio",
    keptBytes: MIB,
  },
  { name: "zstd, 10 GB", bytes: ZSTD_BOMB, header: "zstd", by: "length", keptBytes: 10 * MIB },
  {
    name: "one frame of zstd, 64 MB",
    bytes: ZSTD_FRAME,
    header: "zstd",
    by: "ratio",
    keptBytes: byRatio(ZSTD_FRAME),
  },
  {
    name: "gzip, 60 kB to 60 MB",
    bytes: SMALL_GZIP_BOMB,
    header: "gzip",
    by: "ratio",
    keptBytes: byRatio(SMALL_GZIP_BOMB),
  },
  {
    name: "gzip, 60 kB to 60 MB, under a lower limit",
    bytes: SMALL_GZIP_BOMB,
    header: "gzip",
    by: "length",
    keptBytes: 12_345,
    limits: { outputBytesMax: 12_345 },
  },
  {
    name: "gzip in gzip",
    bytes: gzipSync(GZIP_BOMB),
    header: "gzip, gzip",
    by: "ratio",
    keptBytes: byRatio(gzipSync(GZIP_BOMB)),
  },
  {
    name: "gzip in brotli",
    bytes: brotliCompressSync(GZIP_BOMB, { params: { 1: 5 } }),
    header: "gzip, br",
    by: "ratio",
    keptBytes: MIB,
  },
];

describe("a bomb is cut at the limit and reported", () => {
  for (const { name, bytes, header, by, keptBytes, limits } of cases) {
    test(name, () => {
      const rig = new DecodingRig({ memoryBytes: 256 * MIB, ...(limits && { limits }) });
      const before = process.memoryUsage().arrayBuffers;
      const { decoded, body } = rig.decode(bytes, header);
      assert.equal(decoded.truncatedBy, by);
      assert.equal(decoded.error?.code, "FETCH_CONTENT_TOO_LARGE");
      assert.equal(decoded.error?.facts["limit"], by);
      assert.equal(decoded.body.lengthBytes, keptBytes);
      assert.ok(rig.content(decoded.body).every((byte) => byte === 0));
      const grownBytes = process.memoryUsage().arrayBuffers - before;
      assert.ok(grownBytes <= 64 * MIB, `${grownBytes} bytes more`);
      decoded.body.release();
      body.release();
      assert.equal(rig.spool.usedBytes, 0);
    });
  }

  test("an inner stream that is huge but decodes to nothing", () => {
    const nothing = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync(Buffer.alloc(0))));
    const member = deflateRawSync(nothing, { finishFlush: constants.Z_FULL_FLUSH });
    const bytes = Buffer.concat([
      GZIP_HEADER,
      ...Array.from({ length: 2000 }, () => member),
      GZIP_END,
    ]);
    const rig = new DecodingRig();
    const { decoded } = rig.decode(bytes, "gzip, gzip");
    assert.equal(decoded.error?.code, "FETCH_CONTENT_TOO_LARGE");
    assert.equal(decoded.body.lengthBytes, 0);
  });
});

test("content just as long as the limit is whole", () => {
  for (const [header, encode] of [
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const) {
    const content = textBody(100_000);
    for (const outputBytesMax of [99_999, 100_000, 100_001]) {
      const rig = new DecodingRig({ limits: { outputBytesMax } });
      const { decoded } = rig.decode(encode(content), header);
      assert.equal(decoded.truncatedBy, outputBytesMax < 100_000 ? "length" : null, header);
      assert.equal(decoded.body.lengthBytes, Math.min(outputBytesMax, 100_000));
    }
  }
});

test("content may be a hundred times as long as what was sent, and any megabyte may", () => {
  for (const [lengthBytes, expected] of [
    [MIB, null],
    [MIB + 1, "ratio"],
  ] as const) {
    const rig = new DecodingRig();
    const { decoded } = rig.decode(gzipSync(Buffer.alloc(lengthBytes)), "gzip");
    assert.equal(decoded.truncatedBy, expected);
    assert.equal(decoded.body.lengthBytes, MIB);
  }
});

for (const [name, header] of [
  ["five encodings", "gzip, gzip, gzip, gzip, gzip"],
  ["three encodings", "br,gzip,deflate"],
  ["a thousand encodings", Array.from({ length: 1000 }, () => "gzip").join(", ")],
] as const) {
  test(`${name} are not even begun with`, () => {
    let bytes = textBody(1000);
    for (let layer = 0; layer < 5; layer += 1) bytes = gzipSync(bytes);
    const rig = new DecodingRig();
    const { decoded, body } = rig.decode(bytes, header);
    assert.equal(decoded.body, body);
    assert.equal(decoded.truncatedBy, null);
    assert.equal(decoded.error?.code, "FETCH_CONTENT_TOO_MANY_ENCODINGS");
  });
}

test("a frame of zstd that wants a huge window is refused", async () => {
  const pieces: Buffer[] = [];
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } });
  compress.on("data", (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => compress.on("end", resolve));
  // Sent before the length is known, so that the frame must name its window.
  compress.write(Buffer.alloc(1000));
  compress.flush(() => compress.end(Buffer.alloc(MIB)));
  await ended;
  const rig = new DecodingRig();
  for (let time = 0; time < 2; time += 1) {
    const { decoded } = rig.decode(Buffer.concat(pieces), "zstd");
    assert.equal(decoded.truncatedBy, "corrupt");
    assert.equal(decoded.body.lengthBytes, 0);
  }
});

test("content that takes too long is cut", () => {
  const rig = new DecodingRig({ limits: { timeMsMax: 100 }, memoryBytes: 400 * 1024 });
  rig.disk.speed = { ...rig.disk.speed, callMsMin: 20, callMsMax: 30 };
  const content = textBody(3_000_000);
  const { decoded } = rig.decode(gzipSync(content, { level: 1 }), "gzip");
  assert.equal(decoded.truncatedBy, "time");
  assert.equal(decoded.error?.facts["limit"], "time");
  const kept = Buffer.from(rig.content(decoded.body));
  assert.ok(kept.length < content.length && kept.equals(content.subarray(0, kept.length)));
});
