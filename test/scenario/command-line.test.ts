/**
 * The program as a process: exit codes, streams, a reader that goes away, an old Node. The sources
 * are run through a copy of the launcher in its own folder.
 */
import assert from "node:assert/strict";
import {
  type ChildProcessByStdio,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { after, test } from "node:test";
import { installLauncher, oldNodes, REPLACING_NODE } from "../support/cli/launcher.ts";

const folder = mkdtempSync(join(tmpdir(), "trobar-process-"));
after(() => rmSync(folder, { recursive: true }));

const LAUNCHER = installLauncher(join(folder, "whole"), { packages: true });

/** The environment of the tests, without what would set keys. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:TROBAR_|NODE_|NO_COLOR)/.test(name)),
);

test("--version and --help succeed and print nothing on standard error", () => {
  for (const args of [["--version"], ["--help"], ["inspect", "config", "--help"]]) {
    const { status, stdout, stderr } = trobar(args);
    assert.equal(status, 0, stderr);
    assert.equal(stderr, "");
    assert.ok(stdout.length > 0);
  }
});

test("a wrong command line ends with 2 and says nothing on standard output", () => {
  for (const args of [["crwal"], ["crawl"], ["agent"], ["--zebra"], ["inspect"]]) {
    const { status, stdout, stderr } = trobar(args);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^trobar: /);
  }
});

test("inspect config shows the effect of flags and environment", () => {
  const args = ["inspect", "config", "--delay", "2s", "--set", "fetch.retries=5", "--json"];
  const environment = { ...ENVIRONMENT, TROBAR_FETCH_RETRIES: "9", TROBAR_LANES: "2" };
  const { status, stdout } = trobar(args, environment);
  assert.equal(status, 0);
  const shown = JSON.parse(stdout);
  assert.equal(shown["politeness.hostDelay"].value, 2000);
  assert.equal(shown["fetch.retries"].source, "flag --set no. 1");
  assert.equal(shown["lanes"].source, "environment variable TROBAR_LANES");
});

test("a wrong configuration ends with 2", () => {
  const { status, stdout, stderr } = trobar(["inspect", "config", "--delay", "soon"]);
  assert.equal(status, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /flag --delay: politeness\.hostDelay: "soon"/);
});

test("output is not coloured where there is no terminal", () => {
  const { stdout } = trobar(["inspect", "config"]);
  assert.ok(!stdout.includes("\u001b"));
});

test("output larger than a pipe arrives whole at a reader that takes its time", async () => {
  const seeds = Array.from({ length: 5000 }, (_, index) => `https://example.org/${index}`);
  const path = join(folder, "large.yaml");
  writeFileSync(path, `seeds:\n${seeds.map((seed) => `- ${seed}\n`).join("")}`);
  const child = start(["inspect", "config", "--json", "--config", path]);
  // The pipe is full before anyone reads.
  await new Promise((started) => child.stdout.once("readable", started));
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  assert.ok(output.length > 200_000);
  assert.equal(JSON.parse(output).seeds.value.length, 5000);
});

test("a reader that goes away is not a failure", async () => {
  for (const args of [["--help"], ["inspect", "config", "--json"]]) {
    const child = start(args);
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((ended) => child.on("close", ended));
    assert.equal(code, 0);
    assert.equal(stderr, "");
  }
});

test("head gets its line and the program ends quietly", () => {
  const script = `"$0" "$1" --help | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script, process.execPath, LAUNCHER], {
    encoding: "utf8",
    env: ENVIRONMENT,
  });
  assert.match(stdout, /^Trobar \S+: .*\n0\n$/);
  assert.equal(stderr, "");
});

test("commands on endless input end when their output is no longer read", () => {
  const robots = join(folder, "robots.txt");
  writeFileSync(robots, "User-agent: *\nDisallow: /private\n");
  for (const command of ["url", "filter 'SchemeEquals(https)'", `robots '${robots}'`]) {
    const script = `yes https://example.org/ | "$0" "$1" inspect ${command} - --json | head -n 1
echo "\${PIPESTATUS[1]}"`;
    const { stdout, stderr, signal } = spawnSync(
      "bash",
      ["-c", script, process.execPath, LAUNCHER],
      { encoding: "utf8", env: ENVIRONMENT, timeout: 30_000 },
    );
    assert.equal(signal, null, `inspect ${command} does not end`);
    assert.match(stdout, /^\{.*\}\n0\n$/);
    assert.equal(stderr, "");
  }
});

test("standard error that cannot be written to does not keep the program from ending", {
  skip: !existsSync("/dev/full") && "missing program: /dev/full",
}, () => {
  const { status, signal } = spawnSync(
    "bash",
    ["-c", '"$0" "$1" crwal 2>/dev/full', process.execPath, LAUNCHER],
    { env: ENVIRONMENT, timeout: 30_000, killSignal: "SIGKILL" },
  );
  assert.equal(signal, null, "the program does not end");
  assert.equal(status, 2);
});

test("an unforeseen failure is one line with exit code 1, and a stack on request", () => {
  const sabotage = "--import=data:text/javascript,JSON.stringify=()=>{throw new Error('sabotage')}";
  const fail = (environment: NodeJS.ProcessEnv): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [sabotage, LAUNCHER, "inspect", "config", "--json"], {
      encoding: "utf8",
      env: environment,
    });
  const plain = fail(ENVIRONMENT);
  assert.equal(plain.status, 1);
  assert.match(
    plain.stderr,
    /^trobar: unexpected failure: sabotage \(TROBAR_DEBUG=1 shows where\)\n$/,
  );
  const debug = fail({ ...ENVIRONMENT, TROBAR_DEBUG: "1" });
  assert.equal(debug.status, 1);
  assert.match(debug.stderr, /sabotage\n\s+at /);
});

test("standard output that cannot be written to is reported as a failure of the disk", {
  skip: !existsSync("/dev/full") && "missing program: /dev/full",
}, () => {
  writeFileSync(join(folder, "a.html"), "<p>page");
  const crawl = `crawl -q -o ${folder}/crawl --fresh --yes file://${folder}/a.html`;
  for (const line of ["--help", "inspect config --json", crawl, `${crawl} --json`]) {
    const { status, stderr } = spawnSync(
      "bash",
      ["-c", `"$0" "$1" ${line} > /dev/full`, process.execPath, LAUNCHER],
      { encoding: "utf8", env: ENVIRONMENT },
    );
    assert.equal(status, 4);
    assert.match(stderr, /^trobar: The results could not .* its disk is full\. .*\n$/);
  }
});

test("started by an old Node it goes on under the one from npm, with its exit codes", () => {
  for (const node of oldNodes()) {
    const good = spawnSync(node[0], [...node.slice(1), LAUNCHER, "--version"], {
      encoding: "utf8",
      env: ENVIRONMENT,
    });
    assert.equal(good.status, 0, good.stderr);
    assert.match(good.stdout, /^\d+\.\d+\.\d+/);
    const bad = spawnSync(node[0], [...node.slice(1), LAUNCHER, "crwal"], {
      encoding: "utf8",
      env: ENVIRONMENT,
    });
    assert.equal(bad.status, 2);
    assert.match(bad.stderr, /did you mean `trobar crawl`\?/);
  }
});

test("started by an old Node without the one from npm it says so in one line", () => {
  const bare = installLauncher(join(folder, "bare"), { packages: false });
  for (const node of oldNodes()) {
    const { status, stdout, stderr } = spawnSync(node[0], [...node.slice(1), bare, "--version"], {
      encoding: "utf8",
      env: ENVIRONMENT,
    });
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^Trobar needs Node 24 or newer and was started by v\d+.*npm ci.*\.\n$/);
  }
});

test("started by an old Node where npm has no newer one, it says what is needed", () => {
  const [node, pretence] = REPLACING_NODE;
  const strange = `${pretence};Object.defineProperty(process,'arch',{value:'riscv64'})`;
  const { status, stderr } = spawnSync(node, [strange, LAUNCHER, "--version"], {
    encoding: "utf8",
    env: ENVIRONMENT,
  });
  assert.equal(status, 2);
  assert.match(stderr, /^Trobar needs Node 24 or newer.*npm has none for \w+-riscv64: install one/);
});

function trobar(
  args: readonly string[],
  env: NodeJS.ProcessEnv = ENVIRONMENT,
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [LAUNCHER, ...args], { encoding: "utf8", env });
}

function start(args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [LAUNCHER, ...args], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
