import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { needsProgram } from "../../../../test/support/requirement.ts";
import { ZipFile, type ZipOutput } from "./zip-file.ts";

/** A file that begins with a hole of this many bytes. */
class HoleyFile implements ZipOutput {
  readonly path: string;
  readonly #descriptor: number;
  writtenBytes: number;

  constructor(path: string, holeBytes: number) {
    this.path = path;
    this.#descriptor = fs.openSync(path, "w");
    this.writtenBytes = holeBytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.writeAt(bytes, this.writtenBytes);
    this.writtenBytes += bytes.length;
  }

  async writeAt(bytes: Uint8Array, position: number): Promise<void> {
    fs.writeSync(this.#descriptor, bytes, 0, bytes.length, position);
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}

async function zipped(holeBytes: number, use: (path: string) => void): Promise<void> {
  const folder = fs.mkdtempSync(join(tmpdir(), "trobar-zip-"));
  try {
    const file = new HoleyFile(join(folder, "file.zip"), holeBytes);
    const zip = new ZipFile(file, Date.UTC(2026, 1, 3, 4, 5, 6));
    await zip.add("a/first.txt", Buffer.from("first"));
    const pieces = async function* () {
      yield Buffer.from("sec");
      yield Buffer.from("ond");
    };
    const entry = await zip.add("second.txt", pieces());
    assert.equal(entry.bytes, 6);
    assert.match(
      entry.hash,
      /^sha256:16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4$/,
    );
    await zip.add("empty", new Uint8Array(0));
    await zip.finish();
    file.close();
    use(file.path);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

for (const [what, holeBytes] of [
  ["small", 0],
  ["behind 5 GiB of others", 5 * 2 ** 30],
] as const) {
  test(`unzip reads the entries of a file (${what})`, { skip: needsProgram("unzip") }, async () => {
    await zipped(holeBytes, (path) => {
      const tested = spawnSync("unzip", ["-t", path]);
      assert.ok(/No errors detected/.test(tested.stdout.toString()), tested.stdout.toString());
      assert.equal(spawnSync("unzip", ["-p", path, "a/first.txt"]).stdout.toString(), "first");
      const listed = spawnSync("unzip", ["-Z", "-T", path]).stdout.toString();
      assert.match(listed, /20260203\.040506 a\/first\.txt/);
      assert.match(listed, /3 files, 11 bytes uncompressed/);
    });
  });
}

/** Skips zeros when writing, so that large entries are holes. */
class SparseFile extends HoleyFile {
  override async writeAt(bytes: Uint8Array, position: number): Promise<void> {
    if (bytes !== ZEROS) await super.writeAt(bytes, position);
  }
}

const ZEROS = Buffer.alloc(4 * 2 ** 20);

async function* zeros(lengthBytes: number): AsyncGenerator<Uint8Array> {
  for (let rest = lengthBytes; rest > 0; rest -= ZEROS.length) {
    yield rest < ZEROS.length ? ZEROS.subarray(0, rest) : ZEROS;
  }
}

async function checkSizes(limit: number | undefined, sizes: readonly number[]): Promise<void> {
  const folder = fs.mkdtempSync(join(tmpdir(), "trobar-zip-"));
  try {
    const file = new SparseFile(join(folder, "file.zip"), 0);
    const zip = new ZipFile(file, Date.UTC(2026, 1, 3), limit);
    for (const [at, size] of sizes.entries()) {
      await zip.add(`${at}.bin`, zeros(size));
      await zip.add(`${at}.known`, zeros(size), size);
    }
    await zip.finish();
    file.close();
    const tested = spawnSync("unzip", ["-t", file.path]).stdout.toString();
    assert.ok(/No errors detected/.test(tested), tested);
    const listed = spawnSync("unzip", ["-Z", "-l", file.path]).stdout.toString();
    for (const [at, size] of sizes.entries()) {
      for (const name of [`${at}.bin`, `${at}.known`]) {
        const line = listed.split("\n").find((one) => one.endsWith(` ${name}`)) ?? "";
        assert.ok(line.includes(` ${size} `), line);
      }
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

test("entries of a length that nobody knew beforehand take 64 bits if they must", {
  skip: needsProgram("unzip"),
}, async () => {
  await checkSizes(1000, [0, 10, 999, 1000, 5000, 7, 2000]);
});

if (process.env["TROBAR_FULL"] === "1") {
  test("an entry above 4 GiB is read back, of a known length and of an unknown one", {
    skip: needsProgram("unzip"),
  }, async () => {
    await checkSizes(undefined, [2 ** 32 + 5, 3]);
  });
}
