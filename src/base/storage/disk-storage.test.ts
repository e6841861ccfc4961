/** What the disk storage asks of the operating system; what it promises is in the suite. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Done, StorageFile } from "../seams/index.ts";
import { DIRECT_CALLS, DISK_CALLS, type DiskCalls } from "./disk-calls.ts";
import { DiskStorage } from "./disk-storage.ts";

type AnyCall = (...args: unknown[]) => void;
type SystemError = NodeJS.ErrnoException;

/** A folder, the calls made in it in their order, and a place to interfere with them. */
class Bench implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), "trobar-disk-"));
  readonly made: string[] = [];
  readonly #paths = new Map<number, string>();
  /** Says what a call answers instead of being made; undefined lets it be made. */
  interfere: (name: string, args: readonly unknown[]) => SystemError | undefined = () => undefined;
  readonly calls: DiskCalls = new Proxy(DISK_CALLS, {
    get: (target, name) => this.#wrap(String(name), Reflect.get(target, name) as AnyCall),
  });
  readonly storage = new DiskStorage(this.root, this.calls);

  open(name: string): Promise<StorageFile> {
    return result<StorageFile>((done) => this.storage.open(name, done));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true });
  }

  #wrap(name: string, call: AnyCall): AnyCall {
    return (...args) => {
      const answer = args.at(-1) as (...outcome: unknown[]) => void;
      this.made.push(`${name} ${this.#subject(args[0])}`.trim());
      const failure = this.interfere(name, args);
      if (failure !== undefined) return void setImmediate(() => answer(failure));
      if (name !== "open") return call(...args);
      call(...args.slice(0, -1), (error: SystemError | null, descriptor: number) => {
        if (error === null) this.#paths.set(descriptor, String(args[0]));
        answer(error, descriptor);
      });
    };
  }

  #subject(first: unknown): string {
    const path = typeof first === "number" ? (this.#paths.get(first) ?? "?") : String(first);
    return typeof first === "function" ? "" : path.replace(this.root, "ROOT");
  }
}

function result<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) =>
    start((error, value) => (error === null ? resolve(value) : reject(error))),
  );
}

function good(start: (done: Acknowledge) => void): Promise<void> {
  return new Promise((resolve, reject) =>
    start((error) => (error === null ? resolve() : reject(error))),
  );
}

/** The error's code, the system's code and the file, of something that must fail. */
function failure(
  start: (done: (error: CrawlError | null, value?: unknown) => void) => void,
): Promise<string> {
  return new Promise((resolve) =>
    start((error) => {
      const facts = error?.facts ?? {};
      resolve(`${error?.code} ${facts["systemCode"]} ${facts["file"]}`);
    }),
  );
}

function systemError(code: string): SystemError {
  return Object.assign(new Error(`${code}: planted`), { code });
}

const text = (string: string): Uint8Array => new TextEncoder().encode(string);

test("appends that wait for a write go out together as one", async () => {
  await using bench = await new Bench();
  const file = await bench.open("log");
  bench.made.length = 0;
  const appends = Array.from({ length: 50 }, (_, number) =>
    good((done) => file.append([text(`${number};`)], done)),
  );
  await Promise.all(appends);
  assert.deepEqual(bench.made, ["writev ROOT/log", "writev ROOT/log"]);
  const whole = Array.from({ length: 50 }, (_, number) => `${number};`).join("");
  assert.equal(readFileSync(join(bench.root, "log"), "utf8"), whole);
});

test("a system that takes three bytes at a time gets them all, in order", async () => {
  await using bench = await new Bench();
  const file = await bench.open("log");
  const { writev } = DISK_CALLS;
  let rounds = 0;
  const grudging = Object.create(bench.calls, {
    writev: {
      value: (descriptor: number, [first]: Uint8Array[], offset: number, answer: AnyCall) => {
        rounds += 1;
        writev(descriptor, [first?.subarray(0, 3) ?? text("")], offset, answer);
      },
    },
  }) as DiskCalls;
  const storage = new DiskStorage(bench.root, grudging);
  const other = await result<StorageFile>((done) => storage.open("other", done));
  await good((done) => other.append([text("abcdefgh"), text("ij"), text("k")], done));
  await good((done) => storage.replace("whole", text("0123456"), done));
  assert.equal(readFileSync(join(bench.root, "other"), "utf8"), "abcdefghijk");
  assert.equal(readFileSync(join(bench.root, "whole"), "utf8"), "0123456");
  assert.equal(rounds, 3 + 1 + 1 + 3);
  await good((done) => file.close(done));
});

test("interrupted calls are made again", async () => {
  await using bench = await new Bench();
  const interrupted = new Map<string, number>();
  bench.interfere = (name) => {
    const times = interrupted.get(name) ?? 0;
    interrupted.set(name, times + 1);
    const mayInterrupt = ["open", "writev", "fdatasync", "fsync", "ftruncate", "read"];
    return times < 3 && mayInterrupt.includes(name) ? systemError("EINTR") : undefined;
  };
  const file = await bench.open("log");
  await good((done) => file.append([text("0123456789")], done));
  await good((done) => file.sync(done));
  await good((done) => file.cut(5, done));
  const bytes = await result<Uint8Array>((done) => file.read(0, 10, done));
  assert.equal(new TextDecoder().decode(bytes), "01234");
});

test("a call that is interrupted for ever fails eventually", async () => {
  await using bench = await new Bench();
  const file = await bench.open("log");
  bench.interfere = (name) => (name === "writev" ? systemError("EAGAIN") : undefined);
  const error = await failure((done) => file.append([text("x")], done));
  assert.equal(error, "STORAGE_FAILED EAGAIN log");
});

test("errors carry the system's reason, and are full, missing or failed", async () => {
  await using bench = await new Bench();
  const codes: Readonly<Record<string, string>> = {
    ENOSPC: "STORAGE_FULL",
    EDQUOT: "STORAGE_FULL",
    ENOENT: "STORAGE_MISSING",
    EIO: "STORAGE_FAILED",
    EACCES: "STORAGE_FAILED",
    EMFILE: "STORAGE_FAILED",
  };
  for (const [systemCode, code] of Object.entries(codes)) {
    bench.interfere = (name) => (name === "open" ? systemError(systemCode) : undefined);
    const error = await failure((done) => bench.storage.open("a/log", done));
    assert.equal(error, `${code} ${systemCode} a/log`);
  }
});

test("the first sync of a file makes its name durable, and those of its folders", async () => {
  await using bench = await new Bench();
  const file = await bench.open("a/b/log");
  await good((done) => file.append([text("x")], done));
  bench.made.length = 0;
  await good((done) => file.sync(done));
  const synced = bench.made.filter((call) => call.includes("sync"));
  assert.deepEqual(synced, [
    "fdatasync ROOT/a/b/log",
    "fsync ROOT/a/b",
    "fsync ROOT/a",
    "fsync ROOT",
  ]);
  await good((done) => file.append([text("y")], done));
  bench.made.length = 0;
  await good((done) => file.sync(done));
  await good((done) => file.sync(done));
  assert.deepEqual(bench.made, ["fdatasync ROOT/a/b/log", "soon"], "a clean file needs no sync");
});

test("a replacement is durable before it takes the name, and the name before the answer", async () => {
  await using bench = await new Bench();
  await good((done) => bench.storage.replace("a/manifest", text("x"), done));
  const order = bench.made.filter((call) => /^(writev|fsync|rename)/.test(call));
  assert.deepEqual(order, [
    "writev ROOT/a/.manifest.tmp",
    "fsync ROOT/a/.manifest.tmp",
    "rename ROOT/a/.manifest.tmp",
    "fsync ROOT/a",
    "fsync ROOT",
  ]);
});

test("renaming between folders syncs both, and a folder that is made again is synced again", async () => {
  await using bench = await new Bench();
  await good((done) => bench.storage.replace("a/b/x", text("x"), done));
  bench.made.length = 0;
  await good((done) => bench.storage.rename("a/b", "c/b", done));
  const synced = (): string[] => bench.made.filter((call) => call.startsWith("fsync"));
  assert.deepEqual(synced(), ["fsync ROOT/c", "fsync ROOT", "fsync ROOT/a"]);
  bench.made.length = 0;
  await good((done) => bench.storage.replace("a/b/x", text("y"), done));
  assert.deepEqual(synced(), ["fsync ROOT/a/b/.x.tmp", "fsync ROOT/a/b", "fsync ROOT/a"]);
});

test("a failure after the name was swapped is never called full", async () => {
  await using bench = await new Bench();
  bench.interfere = (name, args) =>
    name === "open" && args[0] === bench.root ? systemError("ENOSPC") : undefined;
  const error = await failure((done) => bench.storage.replace("manifest", text("new"), done));
  assert.equal(error, "STORAGE_FAILED ENOSPC manifest");
  assert.equal(readFileSync(join(bench.root, "manifest"), "utf8"), "new");
});

test("a replacement that fails leaves nothing behind", async () => {
  await using bench = await new Bench();
  bench.interfere = (name) => (name === "fsync" ? systemError("EIO") : undefined);
  await failure((done) => bench.storage.replace("manifest", text("new"), done));
  assert.ok(!existsSync(join(bench.root, ".manifest.tmp")));
  assert.ok(!existsSync(join(bench.root, "manifest")));
});

test("preparing makes the root and sweeps what interrupted replacements left", async () => {
  await using bench = await new Bench();
  const root = join(bench.root, "new", "crawl");
  const storage = new DiskStorage(root, bench.calls);
  await good((done) => storage.prepare(done));
  const synced = bench.made.filter((call) => call.startsWith("fsync"));
  assert.deepEqual(synced, ["fsync ROOT/new", "fsync ROOT"]);
  await mkdir(join(root, "a"));
  for (const name of [".x.tmp", "a/.y.tmp", "a/kept", "a/.hidden"]) {
    writeFileSync(join(root, name), "left");
  }
  await good((done) => storage.prepare(done));
  assert.ok(!existsSync(join(root, ".x.tmp")) && !existsSync(join(root, "a/.y.tmp")));
  assert.ok(existsSync(join(root, "a/kept")) && existsSync(join(root, "a/.hidden")));
  assert.deepEqual(await result((done) => storage.list("", done)), ["a/kept"]);
});

test("a root that cannot be made is an error, not a crash", async () => {
  await using bench = await new Bench();
  writeFileSync(join(bench.root, "file"), "");
  const storage = new DiskStorage(join(bench.root, "file", "crawl"));
  const error = await failure((done) => storage.prepare(done));
  assert.match(error, /^STORAGE_FAILED ENOTDIR .*crawl$/);
});

test("consecutive reads run together, and nothing else runs beside them", async () => {
  await using bench = new Bench();
  const file = await bench.open("log");
  await good((done) => file.append([Buffer.from("0123456789")], done));
  bench.made.length = 0;
  const reads = [0, 4, 2].map((offset) =>
    result<Uint8Array>((done) => file.read(offset, 2, done)).then((bytes) => `${bytes}`),
  );
  assert.deepEqual(bench.made, ["read ROOT/log", "read ROOT/log", "read ROOT/log"]);
  const appended = good((done) => file.append([Buffer.from("!")], done));
  const after = result<Uint8Array>((done) => file.read(8, 5, done));
  assert.equal(bench.made.length, 3, "an append waits for the reads, and a read for the append");
  assert.deepEqual(await Promise.all(reads), ["48,49", "52,53", "50,51"]);
  await appended;
  assert.equal(Buffer.from(await after).toString(), "89!");
  await good((done) => file.close(done));
});

test("a pipe or a device in place of a file is refused, and holds nothing up", async () => {
  await using bench = new Bench();
  execFileSync("mkfifo", [join(bench.root, "pipe")]);
  symlinkSync("/dev/zero", join(bench.root, "device"));
  for (const storage of [bench.storage, new DiskStorage(bench.root, DIRECT_CALLS)]) {
    for (const name of ["pipe", "device"]) {
      for (const method of ["openToRead", "readWhole", "open"] as const) {
        const error = await failure((done) => storage[method](name, (...[given]) => done(given)));
        assert.equal(error, `STORAGE_FAILED EINVAL ${name}`);
      }
    }
  }
});

test("a link to a regular file is listed; one to a folder is not followed, nor swept", async () => {
  await using bench = new Bench();
  writeFileSync(join(bench.root, "file"), "whole");
  const outside = mkdtempSync(join(tmpdir(), "trobar-outside-"));
  writeFileSync(join(outside, ".theirs.tmp"), "theirs");
  const odd = { device: "/dev/zero", nowhere: "missing", round: "round" };
  const links = { linked: "file", folder: ".", outside, ...odd };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(bench.root, name));
  const names = await result<readonly string[]>((done) => bench.storage.list("", done));
  assert.deepEqual(names, ["file", "linked"]);
  await good((done) => bench.storage.prepare(done));
  assert.equal(readFileSync(join(outside, ".theirs.tmp"), "utf8"), "theirs");
  rmSync(outside, { recursive: true });
});

test("a file that is read as a whole is read from its beginning again after an interruption", async () => {
  await using bench = new Bench();
  writeFileSync(join(bench.root, "file"), "whole");
  let interruptions = 3;
  bench.interfere = (name) => {
    if (name !== "readFile" || interruptions === 0) return undefined;
    interruptions -= 1;
    return Object.assign(new Error("interrupted"), { code: "EINTR" });
  };
  const bytes = await result<Uint8Array>((done) => bench.storage.readWhole("file", done));
  assert.equal(Buffer.from(bytes).toString(), "whole");
  assert.equal(bench.made.filter((call) => call.startsWith("open")).length, 4);
  assert.equal(bench.made.filter((call) => call.startsWith("close")).length, 4);
});
