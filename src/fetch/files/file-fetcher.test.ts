/** Files as answers, and everything that looks like a file and must not be read. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { FetchInFlight } from "../../base/seams/index.ts";
import { FILE_CALLS, type FileCalls } from "./file-calls.ts";
import { FileRig, headerOf, textOf } from "./file-rig.fixture.ts";
import { fileRoots } from "./file-roots.ts";

describe("a file is an answer", () => {
  test("with its type, length and date", async () => {
    using rig = new FileRig();
    const outcome = await rig.fetched(rig.write("page.html", "<p>hello"));
    assert.equal(outcome.status, 200);
    assert.equal(textOf(outcome), "<p>hello");
    assert.equal(headerOf(outcome, "Content-Type"), "text/html");
    assert.equal(headerOf(outcome, "Content-Length"), "8");
    assert.match(headerOf(outcome, "Last-Modified") ?? "", /GMT$/);
    assert.equal(outcome.truncatedBy, null);
    outcome.body.release();
    assert.equal(rig.spool.usedBytes, 0);
  });

  test("also when it is empty, oddly named, or of an unknown type", async () => {
    using rig = new FileRig();
    assert.equal(textOf(await rig.fetched(rig.write("empty", ""))), "");
    assert.equal(textOf(await rig.fetched(rig.write("é & #1?%.XYZ", "odd"))), "odd");
    const outcome = await rig.fetched(rig.write("x.unknown"));
    assert.equal(headerOf(outcome, "Content-Type"), "application/octet-stream");
    assert.equal(textOf(await rig.fetched(`${rig.write("q.html", "query")}?a#b`)), "query");
  });

  test("that is cut at the limit, to the byte", async () => {
    using rig = new FileRig();
    const url = rig.write("long.txt", "x".repeat(200_000));
    for (const bodyBytesMax of [1, 65_535, 65_536, 199_999, 200_000, 200_001]) {
      const outcome = await rig.fetched(url, { bodyBytesMax });
      assert.equal(outcome.body.lengthBytes, Math.min(bodyBytesMax, 200_000));
      assert.equal(outcome.truncatedBy, bodyBytesMax < 200_000 ? "length" : null);
    }
  });

  test("also when it is huge: the rest is not read", async () => {
    using rig = new FileRig();
    const url = rig.write("huge.bin", "");
    truncateSync(join(rig.corpus, "huge.bin"), 2 ** 40);
    const outcome = await rig.fetched(url, { bodyBytesMax: 3_000_000 });
    assert.equal(outcome.body.lengthBytes, 3_000_000);
    assert.equal(outcome.body.bytes, null, "it went to disk");
    assert.equal(outcome.truncatedBy, "length");
    outcome.body.release();
  });

  test("through a link that stays below the root", async () => {
    using rig = new FileRig();
    rig.write("target.txt", "linked");
    symlinkSync("target.txt", join(rig.corpus, "link.txt"));
    assert.equal(textOf(await rig.fetched(rig.url("link.txt"))), "linked");
  });
});

test("a folder is a page of escaped links, which lead on", async () => {
  using rig = new FileRig();
  mkdirSync(join(rig.corpus, "sub"));
  const odd = `<script>"'&é.html`;
  rig.write("b.html");
  rig.write(odd, "odd");
  for (const path of ["", "sub/.."]) {
    const outcome = await rig.fetched(rig.url(path));
    const page = textOf(outcome);
    assert.equal(headerOf(outcome, "Content-Type"), "text/html; charset=utf-8");
    assert.doesNotMatch(page, /<script/);
    const links = [...page.matchAll(/href="([^"]*)"/g)].map((match) => String(match[1]));
    const hrefs = links.map((link) => link.replaceAll("&amp;", "&").replaceAll("&#39;", "'"));
    assert.equal(hrefs.length, 3);
    assert.ok(hrefs.includes(`${rig.url("sub")}/`));
    const oddUrl = hrefs.find((href) => href.includes("script"));
    assert.equal(textOf(await rig.fetched(oddUrl ?? "")), "odd");
  }
  assert.match(textOf(await rig.fetched(`${rig.url("sub")}/`)), /<ul>\n<\/ul>/);
  const cut = await rig.fetched(rig.url(""), { bodyBytesMax: 100 });
  assert.equal(cut.body.lengthBytes, 100);
  assert.equal(cut.truncatedBy, "length");
});

describe("not read is", () => {
  test("what is not there", async () => {
    using rig = new FileRig();
    rig.write("page.html");
    assert.equal(await rig.failure(rig.url("nothing.html")), "FETCH_FILE_MISSING");
    assert.equal(await rig.failure(`${rig.url("page.html")}/x`), "FETCH_FILE_MISSING");
    assert.equal(await rig.failure(rig.url("x".repeat(5000))), "FETCH_FILE_MISSING");
  });

  test("what is outside the root, by any path", async () => {
    using rig = new FileRig();
    const root = rig.url("");
    for (const path of [
      "../secret.txt",
      "%2e%2e/secret.txt",
      ".%2E/secret.txt",
      "%2e./%2e%2e/../../../../../../../etc/passwd",
      "..\\secret.txt",
      "./../corpus/../secret.txt",
    ]) {
      assert.equal(await rig.failure(`${root}/${path}`), "FETCH_FILE_REFUSED outside", path);
    }
    assert.equal(await rig.failure("file:///etc/passwd"), "FETCH_FILE_REFUSED outside");
    assert.equal(await rig.failure("file:///"), "FETCH_FILE_REFUSED outside");
    const sibling = `${root}-other`;
    mkdirSync(join(rig.folder, "corpus-other"));
    assert.equal(await rig.failure(sibling), "FETCH_FILE_REFUSED outside");
  });

  test("what a link leads out to", async () => {
    using rig = new FileRig();
    symlinkSync("../secret.txt", join(rig.corpus, "relative"));
    symlinkSync("/dev/zero", join(rig.corpus, "device"));
    symlinkSync("..", join(rig.corpus, "up"));
    symlinkSync("loop", join(rig.corpus, "loop"));
    for (const path of ["relative", "device", "up", "up/secret.txt", "loop"]) {
      assert.equal(await rig.failure(rig.url(path)), "FETCH_FILE_REFUSED outside", path);
    }
    symlinkSync("nowhere", join(rig.corpus, "dangling"));
    assert.equal(await rig.failure(rig.url("dangling")), "FETCH_FILE_MISSING");
  });

  test("a name with escaped separators, NUL or broken UTF-8, another machine, another scheme", async () => {
    using rig = new FileRig();
    const root = rig.url("");
    for (const url of [
      `${root}/..%2fsecret.txt`,
      `${root}/page.html%00.txt`,
      `${root}/caf%E9.html`,
      "file://server/share/page.html",
      "https://example.org/",
      "file:",
      "",
    ]) {
      const expected = url === "file:" ? "outside" : "path";
      assert.equal(await rig.failure(url), `FETCH_FILE_REFUSED ${expected}`, url);
    }
  });

  test("a pipe, a socket, a device", async () => {
    using rig = new FileRig();
    assert.equal(spawnSync("mkfifo", [join(rig.corpus, "pipe")]).status, 0);
    assert.equal(await rig.failure(rig.url("pipe")), "FETCH_FILE_REFUSED kind");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(rig.corpus, "socket"), resolve));
    assert.equal(await rig.failure(rig.url("socket")), "FETCH_FILE_REFUSED kind");
    await new Promise((resolve) => server.close(resolve));
    rig.root = "/dev";
    assert.equal(await rig.failure("file:///dev/zero"), "FETCH_FILE_REFUSED kind");
  });

  test("a pipe that took the place of a file after it was looked at", async () => {
    const pipe = (): string => join(rig.corpus, "pipe");
    using rig: FileRig = new FileRig({ open: (_path, done) => FILE_CALLS.open(pipe(), done) });
    assert.equal(spawnSync("mkfifo", [pipe()]).status, 0);
    assert.equal(await rig.failure(rig.write("page.html")), "FETCH_FILE_REFUSED kind");
  });
});

describe("when the disk does not do its part", () => {
  const denied = Object.assign(new Error("denied"), { code: "EACCES" });

  for (const call of ["realpath", "lstat", "fstat", "open", "entries"] as const) {
    test(`a failing ${call} is an outcome`, async () => {
      const failing = (...args: unknown[]): void => {
        const done = args.at(-1) as (error: Error) => void;
        setImmediate(() => done(denied));
      };
      using rig = new FileRig({ [call]: failing });
      const url = call === "entries" ? rig.url("") : rig.write("page.html");
      assert.equal(await rig.failure(url), "FETCH_FILE_UNREADABLE");
    });
  }

  function readFailingAfter(good: number): Partial<FileCalls> {
    let reads = 0;
    const read = (...args: Parameters<FileCalls["read"]>): void => {
      reads += 1;
      const done = args.at(-1) as unknown as (error: Error, count: number) => void;
      if (reads > good) setImmediate(() => done(denied, 0));
      else FILE_CALLS.read(...args);
    };
    return { read: read as unknown as FileCalls["read"] };
  }

  test("a read that fails at once is a failure, a later one cuts the answer", async () => {
    using first = new FileRig(readFailingAfter(0));
    assert.equal(await first.failure(first.write("page.html")), "FETCH_FILE_UNREADABLE");
    using later = new FileRig(readFailingAfter(1));
    const outcome = await later.fetched(later.write("long.txt", "x".repeat(100_000)));
    assert.equal(outcome.truncatedBy, "disconnect");
    assert.equal(outcome.body.lengthBytes, 65_536);
  });

  test("a disk that never answers ends by the total limit", async () => {
    const silent = (): void => undefined;
    using rig = new FileRig({ lstat: silent as unknown as FileCalls["lstat"] });
    const failure = await rig.failure(rig.write("page.html"), { totalTimeoutMs: 20 });
    assert.equal(failure, "FETCH_TIMED_OUT total");
  });

  test("a file that opens after its fetch was given up is closed", async () => {
    const opened: number[] = [];
    const closed: number[] = [];
    const inFlights: FetchInFlight[] = [];
    let cancelled = (): void => {};
    const calls: FileCalls = {
      ...FILE_CALLS,
      open: (path, done) =>
        FILE_CALLS.open(path, (error, descriptor) => {
          opened.push(descriptor);
          cancelled = () => done(error, descriptor);
          inFlights[0]?.cancel();
        }),
      close: ((descriptor: number, done: () => void) => {
        closed.push(descriptor);
        FILE_CALLS.close(descriptor, done);
      }) as FileCalls["close"],
    };
    using rig = new FileRig(calls);
    const url = rig.write("page.html");
    const outcome = await rig.fetch(url, {}, (inFlight) => inFlights.push(inFlight));
    assert.deepEqual([outcome.kind, opened.length, closed], ["cancelled", 1, []]);
    cancelled();
    assert.deepEqual(closed, opened);
  });

  test("a fetch can be cancelled at once, twice, and afterwards", async () => {
    using rig = new FileRig();
    const url = rig.write("page.html");
    const outcome = await rig.fetch(url, {}, (inFlight) => {
      inFlight.cancel();
      inFlight.cancel();
    });
    assert.ok(outcome.kind === "cancelled" || outcome.kind === "fetched");
    const cancels: FetchInFlight[] = [];
    assert.equal((await rig.fetch(url, {}, (inFlight) => cancels.push(inFlight))).kind, "fetched");
    cancels[0]?.cancel();
  });
});

test("the root of a folder is itself, that of a file the folder around it", async () => {
  using rig = new FileRig();
  const page = rig.write("page.html");
  const corpus = `${pathToFileURL(rig.corpus).href}/`;
  const rootsOf = (seeds: readonly string[]): Promise<readonly string[]> =>
    new Promise((resolve) => fileRoots(seeds, resolve));
  assert.deepEqual(await rootsOf([page]), [corpus]);
  assert.deepEqual(await rootsOf([corpus, corpus.slice(0, -1), page]), [corpus]);
  assert.deepEqual(await rootsOf([rig.url("missing.html")]), [corpus]);
  assert.deepEqual(await rootsOf(["https://example.org/", "nonsense"]), []);
});
