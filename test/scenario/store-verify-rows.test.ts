/**
 * Files of lines (`store.kind: jsonl`): `verify` finds what is wrong in them, whichever way they are
 * compressed, and after `--rebuild` every page has its line once.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { EXIT } from "../../src/cli/shell/exit-code.ts";
import { run } from "../../src/cli/shell/run.ts";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const HOSTS = () => ({
  "a.test": {
    pages: {
      "/": linking("/one", "/two", "/moved", "/secret", "/mute", "/gone"),
      "/one": { body: "<title>One</title><p>the first page" },
      "/mute": { body: "", oddity: "reset-before-head" as const },
      "/two": { body: "<title>Two</title><p>the second page" },
      "/moved": { status: 302, headers: [["Location", "/three"]] as const, body: "" },
      "/three": { body: "<title>Three</title><p>the third page" },
      "/secret": { body: '<meta name="robots" content="noarchive"><p>hidden' },
    },
  },
});

const PATHS = ["/", "/gone", "/moved", "/mute", "/one", "/secret", "/three", "/two"];

async function ask(args: readonly string[]) {
  const terminal = new RecordedTerminal();
  const code = await run(args, terminal);
  return { code, said: terminal.said, found: (terminal.rows()[0] ?? {}) as Found };
}

interface Found {
  readonly problems?: readonly { readonly file: string; readonly problem: string }[];
}

async function crawl(web: CrawledWeb, name: string, more: readonly string[]): Promise<string> {
  const folder = join(web.folder, name);
  const flags = [...web.flags, "--set", "store.kind=jsonl", "--set", "store.body=true", ...more];
  const args = ["crawl", ...flags, "-q", "--json", "-o", folder, web.url("a.test/")];
  const { code, said } = await ask(args);
  assert.equal(code, EXIT.finished, said);
  return folder;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(folder, "pages"))
    .sort()
    .map((name) => join(folder, "pages", name));
}

async function problemsIn(folder: string): Promise<string[]> {
  const { code, said, found } = await ask(["store", "verify", "--json", "-q", "-o", folder]);
  const problems = (found.problems ?? []).map(({ file, problem }) => `${file}: ${problem}`);
  assert.equal(code, problems.length === 0 ? EXIT.finished : EXIT.disk, said);
  return problems;
}

/** What `verify` says while the file has other bytes. */
async function changed(
  folder: string,
  path: string,
  change: (bytes: Buffer) => Uint8Array,
): Promise<string[]> {
  const bytes = readFileSync(path);
  writeFileSync(path, change(Buffer.from(bytes)));
  const problems = await problemsIn(folder);
  writeFileSync(path, bytes);
  return problems;
}

function replaced(from: string, to: string): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const text = bytes.toString();
    assert.ok(text.includes(from), `${from} in ${text}`);
    return Buffer.from(text.replace(from, to));
  };
}

test("verify finds lines that are damaged, missing, of no page, or there twice", async () => {
  await withWeb(HOSTS, async (web) => {
    const folder = await crawl(web, "plain", ["--set", "store.compression=none"]);
    assert.deepEqual(await problemsIn(folder), []);
    const [path = ""] = filesIn(folder);
    const first = readFileSync(path, "utf8").split("\n")[0] ?? "";
    const found = async (change: (bytes: Buffer) => Uint8Array, ...expected: RegExp[]) => {
      const problems = await changed(folder, path, change);
      assert.equal(problems.length, expected.length, problems.join("\n"));
      for (const [at, pattern] of expected.entries()) assert.match(problems[at] ?? "", pattern);
    };
    const unknown = /^pages\/.*: a line is of no fetch/;
    const lacks = /^pages: there is no line of a page that the crawl log has$/;
    await found(replaced("/two", "/twp"), unknown, lacks);
    await found(replaced('"status":200', '"status":201'), unknown, lacks);
    await found(replaced('"depth":1', '"depth":3'), unknown, lacks);
    await found(replaced("sha1:", "sha1;"), /the content has not the digest/, unknown, lacks);
    await found(replaced('"url"', '"usl"'), /a line is not a page as JSON/, lacks);
    const body = /"body":"(.)/.exec(first)?.[1] ?? "";
    const other = `"body":"${body === "A" ? "B" : "A"}`;
    await found(replaced(`"body":"${body}`, other), /the content has not the digest/);
    await found((bytes) => Buffer.concat([bytes, Buffer.from(`${first}\n`)]), unknown);
    await found((bytes) => bytes.subarray(first.length + 1), lacks);
    await found(() => Buffer.alloc(0), new RegExp(`nor of ${PATHS.length - 1} more$`));
    renameSync(path, `${path}.mine`);
    assert.equal((await problemsIn(folder)).length, 1);
  });
});

test("verify finds damage in compressed files of lines", async () => {
  await withWeb(HOSTS, async (web) => {
    for (const compression of ["gzip", "zstd"]) {
      const set = ["--set", `store.compression=${compression}`, "--set", "store.warcSize=1Ki"];
      const folder = await crawl(web, compression, set);
      assert.deepEqual(await problemsIn(folder), []);
      const [path = ""] = filesIn(folder);
      const flipped = (bytes: Buffer): Buffer => {
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4;
        return bytes;
      };
      const said = (await changed(folder, path, flipped)).join("\n");
      assert.match(said, /not all of it can be read/, compression);
      const cut = await changed(folder, path, (bytes) => bytes.subarray(0, -1));
      assert.match(cut.join("\n"), /not all of it can be read/, compression);
    }
  });
});

test("after a rebuild every page has its line once, and the old lines are kept", async () => {
  await withWeb(HOSTS, async (web) => {
    const folder = await crawl(web, "rebuilt", []);
    const paths = (files: readonly string[]): string[] =>
      files
        .flatMap((path) => gunzipSync(readFileSync(path)).toString().trimEnd().split("\n"))
        .map((line) => new URL((JSON.parse(line) as { url: string }).url).pathname)
        .sort();
    const before = filesIn(folder).map((path) => readFileSync(path));
    for (let round = 0; round < 2; round += 1) {
      const rebuilt = await ask(["store", "verify", "--rebuild", "--json", "-q", "-o", folder]);
      assert.equal(rebuilt.code, EXIT.finished, rebuilt.said);
      assert.deepEqual(await problemsIn(folder), []);
      await crawl(web, "rebuilt", []);
      assert.deepEqual(paths(filesIn(folder)), PATHS);
      assert.deepEqual(await problemsIn(folder), []);
    }
    const [kept = ""] = readdirSync(join(folder, "damaged")).sort();
    const old = filesIn(join(folder, "damaged", kept)).map((path) => readFileSync(path));
    assert.deepEqual(old, before);
    rmSync(join(folder, "damaged"), { recursive: true });
    assert.deepEqual(await problemsIn(folder), []);
  });
});
