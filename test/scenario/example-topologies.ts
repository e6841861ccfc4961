/** What the examples that are topologies do, each run as a process by the example that runs them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BUILT_PROGRAM } from "../support/cli/trobar-process.ts";
import { freeAddress } from "../support/topology/free-address.ts";
import { tryParserProcess } from "./example-parser-process.ts";
import { tryPolybot } from "./example-polybot.ts";

interface Said {
  readonly lines: readonly string[];
  /** What the units measured, by their ids. */
  readonly measured: ReadonlyMap<string, string>;
}

const SOURCES = import.meta.resolve("./source-units.ts");

/** Runs a topology of the examples, in this folder. */
async function runTopology(folder: string, examples: string, topology: string): Promise<Said> {
  const args = [join(examples, "06-run-topology.js"), join(examples, topology)];
  const { out, error } = await runNode(folder, args);
  const rows = error.split("\n").map((line) => line.split(": ") as [string, string]);
  return { lines: out.split("\n").filter((line) => line !== ""), measured: new Map(rows) };
}

/** Runs a program for which `trobar/units` is that of this checkout. */
async function runNode(
  folder: string,
  args: readonly string[],
): Promise<{ readonly out: string; readonly error: string }> {
  const child = spawn(process.execPath, ["--import", SOURCES, ...args], {
    ...{ cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
  });
  let [out, error] = ["", ""];
  child.stdout?.on("data", (piece) => {
    out += piece;
  });
  child.stderr?.on("data", (piece) => {
    error += piece;
  });
  const [code] = await once(child, "close");
  assert.equal(code, 0, error);
  return { out, error };
}

/** Gives a copy of the examples that may be changed, beside which there is nothing. */
async function withCopy(trial: (folder: string, examples: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trobar-examples-"));
  try {
    cpSync("examples", join(folder, "examples"), { recursive: true });
    await trial(folder, join(folder, "examples"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runHere(topology: string): Promise<Said> {
  return await runTopology(".", resolve("examples"), topology);
}

/** As printed in the figure, an address is in more than one place. */
function changeAll(path: string, before: string, after: string): void {
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(before), `${path} has ${before}`);
  writeFileSync(path, text.replaceAll(before, after));
}

function change(path: string, before: string, after: string): void {
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(before), `${path} has ${before}`);
  writeFileSync(path, text.replace(before, after));
}

export const TOPOLOGY_TRIALS: Readonly<Record<string, () => Promise<void>>> = {
  "06-run-topology.js": async () => {
    const { measured } = await runHere("07-host-addresses/topology.yaml");
    assert.match(measured.get("simple") ?? "", /^3 taken, 5 emitted, 0 failed/);
    assert.match(measured.get("asynchronous") ?? "", /^4 taken, 6 emitted, 0 failed/);
  },
  "07-host-addresses": async () => {
    const { lines } = await runHere("07-host-addresses/topology.yaml");
    assert.deepEqual(lines, ["127.0.0.1 8", "127.0.0.2 8", "127.0.0.3 4", "127.0.0.9 1"]);
  },
  "08-seen-test": async () => {
    await withCopy(async (folder, examples) => {
      const expected = ["http://a.test/", "http://b.test/", "http://c.test/"];
      const exact = await runTopology(folder, examples, "08-seen-test/topology.yaml");
      assert.deepEqual(exact.lines, expected);
      const path = join(examples, "08-seen-test/topology.yaml");
      change(path, "unit: exact-seen\n", "unit: bloom-seen\n");
      const bloom = await runTopology(folder, examples, "08-seen-test/topology.yaml");
      assert.deepEqual(bloom.lines, expected);
      // So few bits that it takes new URLs for known ones: it is the Bloom filter that is asked.
      change(
        path,
        "unit: bloom-seen\n",
        "unit: bloom-seen\n    settings: { bits: 64, hashes: 16 }\n",
      );
      change(
        path,
        '"http://c.test/"',
        upTo(200)
          .map((at) => `"http://${at}.test/"`)
          .join(", "),
      );
      const full = await runTopology(folder, examples, "08-seen-test/topology.yaml");
      assert.ok(full.lines.length < 50, `${full.lines.length} of 202 were taken for new`);
    });
  },
  "09-caching-provider": async () => {
    await withCopy(async (folder, examples) => {
      const cached = await runTopology(folder, examples, "09-caching-provider/topology.yaml");
      assert.deepEqual(cached.lines, ["127.0.0.1 3", "127.0.0.3 1"]);
      assert.equal(cached.measured.get("table"), "2 asked");
      assert.equal(cached.measured.get("cache"), "2 hits, 2 misses");
      const path = join(examples, "09-caching-provider/topology.yaml");
      change(path, "resolver: cache", "resolver: table");
      const plain = await runTopology(folder, examples, "09-caching-provider/topology.yaml");
      assert.deepEqual(plain.lines, cached.lines);
      assert.equal(plain.measured.get("table"), "4 asked");
    });
  },
  "10-shared-by-processes": async () => {
    await withCopy(async (folder, examples) => {
      const topology = "10-shared-by-processes/topology.yaml";
      const ids = [1, 2].map(() => runTopology(folder, examples, topology));
      const lines = (await Promise.all(ids)).flatMap((said) => said.lines);
      assert.deepEqual(
        lines.toSorted(),
        ["a", "b", "c", "d"].map((host) => `http://${host}.test/`),
      );
    });
  },
  "11-reports-of-completion": async () => {
    const { lines, measured } = await runHere("11-reports-of-completion/topology.yaml");
    assert.deepEqual(
      lines.filter((line) => line.startsWith("http://a.")),
      [1, 2, 3].map((page) => `http://a.test/${page} 15`),
    );
    assert.equal(lines.length, 4);
    assert.match(measured.get("downloader") ?? "", /^4 taken, 4 emitted, 0 failed/);
  },
  "12-thesis-xml": async () => {
    await withCopy(async (folder, examples) => {
      const files = ["12-thesis-xml/worker.xml", "12-thesis-xml/master.xml"] as const;
      for (const figures of ["localhost:1160", "localhost:5050"]) {
        const free = await freeAddress();
        for (const file of files) changeAll(join(examples, file), figures, free);
      }
      // Twice, since each process begins where its logs of the run before end.
      for (const run of [1, 2]) {
        const running = files.map((file) => runTopology(folder, examples, file));
        const [worker, master] = await Promise.all(running);
        assert.deepEqual(master?.lines, ["http://a.test/news", "http://b.test/"], `run ${run}`);
        const measured = worker?.measured;
        assert.match(measured?.get("Downloader") ?? "", /^2 taken, 1 emitted, 0 failed/);
        assert.match(measured?.get("HyperlinkExtractor") ?? "", /^1 taken, 2 emitted, 0 failed/);
        assert.match(master?.measured.get("Seeds") ?? "", /^0 taken, 2 emitted, 0 failed/);
      }
    });
    const inspect = ["inspect", "topology", "examples/12-thesis-xml/worker.xml", "--json"];
    const { out } = await runNode(".", [BUILT_PROGRAM, ...inspect]);
    const { nodes } = JSON.parse(out);
    const downloader = nodes.find(({ id }: Record<string, unknown>) => id === "Downloader");
    assert.equal(downloader.instances, 5);
    assert.equal(downloader.unit, "downloader");
  },
  "15-parser-process": tryParserProcess,
  "16-polybot": tryPolybot,
};

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}
