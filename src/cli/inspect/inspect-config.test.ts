import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { run } from "../shell/run.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-inspect-"));
after(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function inspect(
  args: readonly string[],
  { environment = {}, colour = false } = {},
): Promise<Outcome> {
  const terminal = new RecordedTerminal({ environment, colour });
  const code = await run(["inspect", "config", ...args], terminal);
  return { code, out: terminal.written, err: terminal.said };
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("every key is shown with its value, unit and source", async () => {
  const path = file("crawl.yaml", "limits:\n  time: 2h\nfetch: { maxBody: 1Mi }\n");
  const { code, out, err } = await inspect(
    [
      "--config",
      path,
      "--delay",
      "2s",
      "-c",
      "100",
      "--set",
      "fetch.retries=5",
      "https://example.org/",
    ],
    { environment: { TROBAR_LANES: "3" } },
  );
  assert.equal(code, 0);
  assert.equal(err, "");
  const line = (key: string): string | undefined =>
    out
      .split("\n")
      .find((one) => one.startsWith(`${key} `))
      ?.replace(/ {2,}/g, " | ");
  assert.equal(line("politeness.hostDelay"), "politeness.hostDelay | 2s | 2000 ms | flag --delay");
  assert.equal(line("fetch.concurrency"), "fetch.concurrency | 100 | flag -c");
  assert.equal(line("fetch.retries"), "fetch.retries | 5 | flag --set no. 1");
  assert.equal(line("fetch.maxBody"), `fetch.maxBody | 1Mi | 1048576 bytes | ${path}:3:19`);
  assert.equal(line("limits.time"), `limits.time | 2h | 7200000 ms | ${path}:2:9`);
  assert.equal(line("lanes"), "lanes | 3 | environment variable TROBAR_LANES");
  assert.equal(line("scope"), "scope | host | default");
  assert.equal(line("seeds"), 'seeds | ["https://example.org/"] | argument no. 1');
});

test("with --json there is one object, by key", async () => {
  const { code, out } = await inspect(["--json", "--max-bytes", "1Gi", "https://example.org/"]);
  assert.equal(code, 0);
  const shown = JSON.parse(out);
  assert.deepEqual(shown["limits.bytes"], {
    value: 2 ** 30,
    unit: "bytes",
    text: "1Gi",
    source: "flag --max-bytes",
    default: null,
    reach: "shared",
    fixed: false,
  });
  assert.deepEqual(shown.seeds.value, ["https://example.org/"]);
});

test("every flag of crawl has its effect", async () => {
  const args =
    "-n 5 -d 2 --scope any --include */a* --exclude */b* --delay 3s --ip-delay 1s -c 7 --lanes 2 " +
    "--max-time 1h --max-bytes 1Mi --min-free-disk 2Gi --user-agent Bot/1 --contact me@example.org " +
    "--ignore-robots --allow-private -o out --fresh --yes --dashboard 8080 --agents 3 --json -q";
  const { code, out } = await inspect(args.split(" "));
  assert.equal(code, 0);
  const shown = JSON.parse(out);
  const given = Object.keys(shown).filter((key) => shown[key].source !== "default");
  assert.deepEqual(Object.fromEntries(given.map((key) => [key, shown[key].value])), {
    userAgent: "Bot/1",
    contact: "me@example.org",
    scope: "any",
    "limits.pages": 5,
    "limits.depth": 2,
    "limits.time": 3_600_000,
    "limits.bytes": 2 ** 20,
    "limits.minFreeDisk": 2 * 2 ** 30,
    "politeness.hostDelay": 3000,
    "politeness.ipDelay": 1000,
    "politeness.robots": "ignore",
    "fetch.concurrency": 7,
    "fetch.allowAddresses": ["0.0.0.0/0", "::/0"],
    "fetch.ports": "any",
    "filters.schedule": "URLGlob(*/a*) and not URLGlob(*/b*)",
    lanes: 2,
    "api.port": 8080,
  });
});

test("mistakes of the line, the files and the values are shown together", async () => {
  const path = file("bad.yaml", "fetch:\n  retires: 5\n");
  const missing = join(folder, "missing.yaml");
  const { code, out, err } = await inspect([
    ...["--config", path, "--config", missing, "--config", folder, "-i", join(folder, "no-seeds")],
    ...["--delay", "soon", "--limt", "5", "--set", "x", "nonsense"],
  ]);
  assert.equal(code, 2);
  assert.equal(out, "");
  const expected = [
    /^trobar: 8 mistakes:$/,
    /flag --limt: is unknown; did you mean --limit\?$/,
    /flag --config: ".*missing\.yaml" does not exist\.$/,
    /flag --config: ".*" is a directory\.$/,
    /flag -i: ".*no-seeds" does not exist\.$/,
    /bad\.yaml:2:3: "fetch\.retires" is not a key .*; did you mean fetch\.retries\?$/,
    /flag --set no\. 1: "x" is not of the form KEY=VALUE/,
    /flag --delay: politeness\.hostDelay: "soon" is not a duration/,
    /argument no\. 1: seeds: "nonsense" is not an absolute URL/,
  ];
  const lines = err.trimEnd().split("\n");
  assert.equal(lines.length, expected.length, err);
  for (const [index, line] of lines.entries()) assert.match(line, expected[index] ?? /^$/);
});

test("with --json mistakes are an object too", async () => {
  const { code, out } = await inspect(["--json", "--delay", "soon"]);
  assert.equal(code, 2);
  assert.deepEqual(JSON.parse(out).mistakes, [
    {
      code: "CONFIG_BAD_VALUE",
      location: "flag --delay",
      key: "politeness.hostDelay",
      value: "soon",
      problem: "is not a duration such as 250ms, 1s, 10m, 1d",
      legal: "a duration from 0s to 1d",
      nearest: null,
    },
  ]);
});

test("a file too large, or a device that never ends, is refused", async () => {
  for (const path of [file("large.yaml", new Uint8Array(10_000_000)), "/dev/zero"]) {
    const { code, err } = await inspect(["--config", path]);
    assert.equal(code, 2);
    assert.match(err, /the file has 1048577 bytes; at most 1048576 are read/);
  }
});

test("no control character of a file or a path reaches the terminal", async () => {
  const path = file("evil\u001b[2J.yaml", 'frontier:\n  topic: ["caf\\u00e9"]\n"\\e[31m": 1\n');
  const { err } = await inspect(["--config", path, "\u001b]0;x\u0007"]);
  assert.match(err, /evil\\x1b\[2J\.yaml:3:1: "\\x1b\[31m" is not a key/);
  assert.doesNotMatch(err.replaceAll("\n", ""), /\p{Cc}/u);
});

test("passwords in URLs are not shown", async () => {
  const nats = "nats://me:secret@first:4222,nats://me:secret@other:4222";
  const args = ["--set", "fetch.proxy=http://me:secret@proxy:8080", "--nats", nats];
  const plain = await inspect(args);
  const json = await inspect([...args, "--json"]);
  for (const { code, out } of [plain, json]) {
    assert.equal(code, 0);
    assert.match(out, /http:\/\/…@proxy:8080/);
    assert.doesNotMatch(out, /secret/);
  }
});

test("notes on a BUbiNG file, and files of seeds that are not read here, are shown", async () => {
  const seeds = file("seeds.txt", "https://example.org/\n");
  const path = file("bubing.properties", `maxUrls=5\nrootDir=/x\nseed=file:${seeds}\n`);
  const { code, out, err } = await inspect(["--config", path, "-i", "-"]);
  assert.equal(code, 0);
  assert.match(err, /^note: .*bubing\.properties:2:1: BUbiNG's rootDir has no counterpart/);
  assert.ok(out.endsWith(`More seeds, not read here: -, ${seeds}\n`));
});

test("on a terminal what was given stands out", async () => {
  const { out } = await inspect(["--lanes", "2"], { colour: true });
  assert.ok(out.includes("\u001b[1mlanes"));
  assert.ok(out.includes("\u001b[2mscope"));
});
