import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { DiskStorage } from "../../base/storage/index.ts";
import { readRowFile } from "./read-row-file.ts";

const BATCHES = [["one", "two"], ["three"], ["four", "é"]];
const LINES = BATCHES.flat();
const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const ENDINGS: Readonly<Record<string, (batch: Uint8Array) => Uint8Array>> = {
  ".jsonl": (batch) => batch,
  ".jsonl.gz": (batch) => gzipSync(batch),
  ".jsonl.zst": (batch) => zstdCompressSync(batch, CHECKED),
};

function packed(pack: (batch: Uint8Array) => Uint8Array): Buffer {
  return Buffer.concat(BATCHES.map((lines) => pack(Buffer.from(`${lines.join("\n")}\n`))));
}

/** Reads files with this content, one after the other. */
async function withFiles(
  ending: string,
  use: (read: (bytes: Uint8Array, lengthBytes?: number) => Promise<Found>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "row-file-"));
  const storage = new DiskStorage(folder);
  try {
    await use(async (bytes, lengthBytes = Number.MAX_SAFE_INTEGER) => {
      writeFileSync(join(folder, `rows${ending}.open`), bytes);
      const found: Found = { lines: [], problems: [] };
      for await (const step of readRowFile(storage, `rows${ending}`, lengthBytes)) {
        if (step.kind === "line") found.lines.push(step.text);
        else found.problems.push(step.problem);
      }
      return found;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Found {
  readonly lines: string[];
  readonly problems: string[];
}

for (const [ending, pack] of Object.entries(ENDINGS)) {
  test(`all lines of ${ending} are read, and those up to a length`, async () => {
    await withFiles(ending, async (read) => {
      const bytes = packed(pack);
      assert.deepEqual(await read(bytes), { lines: LINES, problems: [] });
      const [first] = BATCHES;
      const length = pack(Buffer.from(`${first?.join("\n")}\n`)).length;
      assert.deepEqual(await read(bytes, length), { lines: first, problems: [] });
      assert.deepEqual(await read(Buffer.alloc(0)), { lines: [], problems: [] });
    });
  });

  test(`a file ${ending} that was cut has fewer lines, and says so unless whole ones are gone`, async () => {
    await withFiles(ending, async (read) => {
      const bytes = packed(pack);
      for (let length = 1; length < bytes.length; length += 1) {
        const { lines, problems } = await read(bytes.subarray(0, length));
        if (problems.length === 0) assert.ok(lines.length < LINES.length, `at ${length}`);
        assert.deepEqual(lines, LINES.slice(0, lines.length), `at ${length}`);
      }
      assert.equal((await read(bytes.subarray(0, -1))).problems.length, 1);
    });
  });
}

for (const ending of [".jsonl.gz", ".jsonl.zst"]) {
  test(`no bit that flips in ${ending} passes, unless all lines are there`, async () => {
    await withFiles(ending, async (read) => {
      const bytes = packed(ENDINGS[ending] ?? assert.fail());
      for (let bit = 0; bit < bytes.length * 8; bit += 3) {
        const damaged = Buffer.from(bytes);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const { lines, problems } = await read(damaged);
        if (problems.length === 0) assert.deepEqual(lines, LINES, `bit ${bit}`);
      }
    });
  });
}

test("a file that is not there is damage", async () => {
  const storage = new DiskStorage(tmpdir());
  for await (const step of readRowFile(storage, "no/such/file.jsonl", 1)) {
    assert.deepEqual(step, { kind: "damage", problem: "it is missing" });
  }
});
