/** `trobar store --warc`: archives that others made, whole, damaged and hostile. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { gunzipSync, gzipSync, zstdCompressSync } from "node:zlib";
import { SeededRandom } from "../../src/base/random/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import {
  contentRecord,
  metadataRecord,
  recordId,
  responseRecord,
  revisitRecord,
  sha1Digest,
  WarcEncoder,
  type WarcRecord,
  warcinfoRecord,
} from "../../src/formats/warc/index.ts";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { recordsIn } from "../support/formats/warcio.ts";
import { needsProgram } from "../support/requirement.ts";

const root = mkdtempSync(join(tmpdir(), "trobar-archives-"));
after(() => rmSync(root, { recursive: true, force: true }));
const temporary = join(root, "temporary");
mkdirSync(temporary);
process.env["TMPDIR"] = temporary;
const random = new SeededRandom(14);

async function store(args: readonly string[]) {
  const terminal = new RecordedTerminal();
  const code = await run(["store", ...args], terminal);
  return { code, terminal };
}

const BODY = "<title>Old</title><a href='/b'>b</a>";
const HEAD = { status: 200, reason: "OK", headers: [["Content-Type", "text/html"]] as const };

function common(url: string, dateMs: number) {
  return { url, dateMs, id: recordId(random), warcinfoId: "urn:uuid:0" };
}

/** A page, a revisit of it at a later date, a file by FTP. */
function records(): readonly WarcRecord[] {
  const url = "http://old.test/";
  const body = Buffer.from(BODY);
  const original = { url, dateMs: 1000 };
  const revisit = { ...common(url, 9000), head: HEAD, bodyBytes: body.length, original };
  return [
    warcinfoRecord({ id: "urn:uuid:0", dateMs: 0, fileName: "x.warc", entries: [["a", "b"]] }),
    responseRecord({ ...common(url, 1000), head: HEAD, body }),
    revisitRecord({ ...revisit, payloadDigest: sha1Digest(body) }),
    contentRecord("resource", {
      ...common("ftp://old.test/file.txt", 5000),
      ...{ contentType: "text/plain", bytes: Buffer.from("by FTP") },
    }),
  ];
}

function encoded(compression: "gzip" | "zstd" | "none"): Buffer {
  const encoder = new WarcEncoder({ compression, level: null });
  return Buffer.concat(records().map((record) => Buffer.from(encoder.encode(record))));
}

function file(name: string, bytes: Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, bytes);
  return path;
}

test("an archive is read however it is compressed, and revisits find their originals", async () => {
  const plain = encoded("none");
  const archives: Record<string, Uint8Array> = {
    "each.warc.gz": encoded("gzip"),
    "each.warc.zst": encoded("zstd"),
    "plain.warc": plain,
    "whole.warc.gz": gzipSync(plain),
    "whole.warc.zst": zstdCompressSync(plain),
    "torn.warc.gz": Buffer.concat([
      gzipSync(plain.subarray(0, 700)),
      gzipSync(plain.subarray(700)),
    ]),
  };
  for (const [name, bytes] of Object.entries(archives)) {
    const path = file(name, bytes);
    const listed = await store(["list", "--json", "--warc", path]);
    assert.equal(listed.code, 0, name);
    const isWhole = !name.startsWith("each") && name !== "plain.warc";
    assert.equal(/compressed as a whole/.test(listed.terminal.said), isWhole, name);
    const rows = listed.terminal.rows();
    assert.deepEqual(
      rows.map(({ url, status, title, fetchedAt }) => [url, status, title, fetchedAt]),
      [
        ["http://old.test/", 200, "Old", "1970-01-01T00:00:01.000Z"],
        ["http://old.test/", 200, "Old", "1970-01-01T00:00:09.000Z"],
        ["ftp://old.test/file.txt", 200, null, "1970-01-01T00:00:05.000Z"],
      ],
      name,
    );
    const got = await store(["get", "old.test", "--warc", path]);
    assert.equal(got.terminal.written, BODY, "the latest is a revisit");
    const ftp = await store(["get", "--warc", path, "ftp://old.test/file.txt"]);
    assert.equal(ftp.terminal.written, "by FTP");
    const links = await store(["links", "http://old.test/b", "--in", "--json", "--warc", path]);
    assert.equal(links.terminal.rows()[0]?.["url"], "http://old.test/");
    const stats = await store(["stats", "--json", "--warc", path]);
    assert.equal(stats.terminal.rows()[0]?.["pages"], 3);
    const jsonl = await store(["export", "jsonl", "--to", "-", "-q", "--warc", path]);
    assert.equal(jsonl.terminal.rows().length, 3);
  }
  assert.deepEqual(readdirSync(temporary), [], "nothing is left in the folder for temporary files");
});

test("several archives are read together, as a shell expands their names", async () => {
  const [one, two] = [file("one.warc.gz", encoded("gzip")), file("two.warc", encoded("none"))];
  const both = await store(["list", "--json", "--warc", one, two]);
  assert.equal(both.terminal.rows().length, 6);
  const got = await store(["get", "--warc", one, two, "http://old.test/"]);
  assert.equal(got.terminal.written, BODY);
  const cursor = String(
    (await store(["stream", "--json", "--warc", one])).terminal.rows()[0]?.["cursor"],
  );
  const rest = await store(["stream", "--json", "--warc", one, "--after", cursor]);
  assert.equal(rest.terminal.rows().length, 2, "a cursor holds for the same files");
  const wrong = await store(["stream", "--warc", join(root, "no"), "-o", "x", "--follow"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.terminal.said, /3 mistakes:/);
});

test("of a damaged archive everything is read that can be, and the damage is told", async () => {
  const whole = encoded("gzip");
  const cut = await store([
    "list",
    "--json",
    "--warc",
    file("cut.warc.gz", whole.subarray(0, -30)),
  ]);
  assert.equal(cut.terminal.rows().length, 2);
  assert.match(cut.terminal.said, /cut\.warc\.gz cannot be read from \d+, .*ends inside/);
  const flipped = Buffer.from(whole);
  flipped.fill(0x55, 300, 330);
  const holed = await store(["list", "--json", "--warc", file("holed.warc.gz", flipped)]);
  assert.equal(holed.terminal.rows().length, 2);
  assert.match(holed.terminal.said, /cannot be read from/);
  const noise = await store([
    "list",
    "--json",
    "--warc",
    file("noise.warc.gz", Buffer.alloc(9999, 7)),
  ]);
  assert.deepEqual([noise.code, noise.terminal.written], [0, ""]);
  const torn = await store([
    ...["list", "--json", "--warc"],
    file("torn-whole.warc.gz", gzipSync(encoded("none")).subarray(0, -60)),
  ]);
  assert.ok(torn.terminal.rows().length >= 1);
  assert.match(torn.terminal.said, /compressed as a whole/);
});

/** Row S18 of the threat table: nothing in a page makes records of its own. */
test("pages that imitate archives stay pages", async () => {
  const fake =
    "\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://forged.test/\r\n" +
    "Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
  const pages = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      `/${index}`,
      { body: fake.repeat(index + 1), headers: [["X-Line", `a%0d%0aWARC/1.1 ${index}`] as const] },
    ]),
  );
  const hosts: Hosts = () => ({
    "a.test": { pages: { "/": linking(...Object.keys(pages)), ...pages } },
  });
  await withWeb(hosts, async (web) => {
    for (const compression of ["gzip", "none"]) {
      const crawl = await web.crawl(["a.test/"], ["--set", `store.compression=${compression}`]);
      const folder = join(crawl.folder, "warc");
      const archives = readdirSync(folder).map((name) => join(folder, name));
      const own = await store(["list", "--json", "-o", crawl.folder]);
      const read = await store(["list", "--json", "--warc", ...archives]);
      assert.equal(read.terminal.said, "");
      const digests = (terminal: RecordedTerminal) =>
        terminal
          .rows()
          .filter(({ url }) => !String(url).endsWith("/robots.txt"))
          .map(({ url, digest }) => `${url} ${digest}`)
          .sort();
      assert.equal(digests(own.terminal).length, 51);
      assert.deepEqual(digests(read.terminal), digests(own.terminal));
    }
  });
});

/** Row S19: neither names of files nor URLs lead anywhere else. */
test("names and URLs of archives reach no other file", async () => {
  const secret = file("secret.txt", Buffer.from("not an archive"));
  const encoder = new WarcEncoder({ compression: "none", level: null });
  const urls = [
    ...["file:///etc/passwd", `file://${secret}`, "http://a.test/../../etc/passwd"],
    ...["http://a.test/%2e%2e/%2e%2e/x", "http://a.test/\0x", "http://a.test/CON"],
    ...[`http://a.test/${"x".repeat(5000)}`, "../../x", "urn:x:y", "dns:a.test"],
  ];
  const bytes = urls.map((url) =>
    Buffer.from(
      encoder.encode(
        responseRecord({ ...common(url, 1000), head: HEAD, body: Buffer.from("its own body") }),
      ),
    ),
  );
  for (const name of ["..", "a b\u001b[31m.warc", "-x.warc", ".hidden", "CON", "x".repeat(240)]) {
    const path =
      name === ".." ? file("dots..warc", Buffer.concat(bytes)) : file(name, Buffer.concat(bytes));
    const listed = await store(["list", "--json", "--warc", path]);
    const rows = listed.terminal.rows();
    assert.equal(rows.length, urls.length - 3);
    assert.ok(rows.every(({ warc }) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(String(warc))));
    for (const { url } of rows) {
      const got = await store(["get", String(url), "--warc", path]);
      assert.equal(got.terminal.written, "its own body");
      assert.ok(!got.terminal.said.includes("\u001b"));
    }
  }
  symlinkSync(secret, join(root, "link.warc"));
  const linked = await store(["list", "--json", "--warc", join(root, "link.warc")]);
  assert.equal(linked.terminal.written, "");
  assert.equal(readFileSync(secret, "utf8"), "not an archive");
});

test("what wget archives is read", { skip: needsProgram("wget") }, async () => {
  const hosts: Hosts = () => ({
    "127.0.0.1": { pages: { "/": linking("/a"), "/a": { body: "<title>A</title>x" } } },
  });
  await withWeb(hosts, async (web) => {
    const url = web.url("127.0.0.1/");
    const args = [
      "-q",
      "-r",
      "-e",
      "robots=off",
      "--no-config",
      "--no-proxy",
      "--warc-file=w",
      url,
    ];
    await promisify(execFile)("wget", args, { cwd: web.folder }).catch(() => undefined);
    const path = join(web.folder, "w.warc.gz");
    const listed = await store(["list", "--json", "--warc", path]);
    const rows = listed.terminal.rows();
    assert.deepEqual(
      rows.filter(({ status }) => status === 200).map(({ url }) => url),
      [url, web.url("127.0.0.1/a")],
    );
    const got = await store(["get", web.url("127.0.0.1/a"), "--warc", path]);
    assert.equal(got.terminal.written, "<title>A</title>x");
  });
});

test("what is not a file is refused, with every other mistake of the command", async () => {
  const pipe = join(root, "pipe.warc");
  assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
  const odd = await store(["get", "--warc", pipe, "/dev/zero", "--text"]);
  assert.equal(odd.code, 2);
  assert.match(odd.terminal.said, /4 mistakes:/);
  assert.match(odd.terminal.said, /pipe\.warc" is not a regular file; name an archive file/);
  assert.match(odd.terminal.said, /"\/dev\/zero" is not a regular file/);
  assert.match(odd.terminal.said, /`trobar store get` needs more/);
  const folder = await store(["list", "--warc", root]);
  assert.deepEqual([folder.code, /is a directory/.test(folder.terminal.said)], [2, true]);
});

test("warcio reads every record of the WACZ of an archive that was unpacked", {
  skip: needsProgram("unzip"),
}, async () => {
  const encoder = new WarcEncoder({ compression: "none", level: null });
  const about = metadataRecord({ ...common("http://old.test/", 9000), entries: [["a", "b"]] });
  const plain = Buffer.concat([encoded("none"), Buffer.from(encoder.encode(about))]);
  const to = join(root, "unpacked.wacz");
  const path = file("packed.warc.gz", gzipSync(plain));
  const made = await store(["export", "wacz", "--to", to, "-q", "--warc", path]);
  assert.equal(made.code, 0, made.terminal.said);
  const listed = spawnSync("unzip", ["-Z", "-1", to]).stdout.toString();
  assert.match(listed, /^archive\/packed\.warc$/m);
  const bytes = spawnSync("unzip", ["-p", to, "archive/packed.warc"]).stdout;
  const types = (await recordsIn(bytes)).map(({ type }) => type);
  assert.deepEqual(types, ["warcinfo", "response", "revisit", "resource", "metadata"]);
  const index = gunzipSync(spawnSync("unzip", ["-p", to, "indexes/index.cdx.gz"]).stdout);
  for (const line of index.toString().trimEnd().split("\n")) {
    const { offset, length, filename } = JSON.parse(line.slice(line.indexOf("{")));
    assert.equal(filename, "packed.warc");
    const place = bytes.subarray(Number(offset), Number(offset) + Number(length));
    assert.equal((await recordsIn(place)).length, 1);
  }
});
