/** A process that exports is killed without warning; the same command brings it to its end. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../src/cli/shell/run.ts";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { BUILT_PROGRAM } from "../support/cli/trobar-process.ts";

/** Enough text for an export to take several writes. */
const SITE: Hosts = () => {
  const text = "some words of a long page ".repeat(12_000);
  const names = Array.from({ length: 16 }, (_, page) => `/${page}`);
  const pages = names.map((name) => [name, { body: `<title>${name}</title>${name} ${text}` }]);
  return { "a.test": { pages: { "/": linking(...names), ...Object.fromEntries(pages) } } };
};

/** Loaded before the program: dies without warning at a write to the file. */
const DEADLY = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  const { write } = fs;
  let left = Number(process.env.KILL_AT_WRITE);
  fs.write = (...args) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return write(...args);
  };
`)}`;

/** Runs the command in a process that is killed at this write. */
async function killedAt(write: number, argv: readonly string[]): Promise<void> {
  const env = { ...process.env, KILL_AT_WRITE: String(write) };
  const args = ["--import", DEADLY, BUILT_PROGRAM, ...argv];
  const child = spawn(process.execPath, args, { stdio: "ignore", env });
  const [, signal] = await once(child, "exit");
  assert.equal(signal, "SIGKILL");
}

async function exported(argv: readonly string[]): Promise<void> {
  const terminal = new RecordedTerminal();
  assert.equal(await run(argv, terminal), 0, terminal.said);
}

test("exports that were killed are finished by the same command", async () => {
  await withWeb(SITE, async (web) => {
    const crawl = await web.crawl(["a.test/"]);
    const argv = (format: string, to: string): string[] => [
      ...["store", "export", format, "-o", crawl.folder, "--to", to, "-q", "--json"],
      ...(format === "jsonl" ? ["--text"] : []),
    ];
    for (const format of ["jsonl", "wacz"]) {
      const whole = join(web.folder, `whole.${format}`);
      await exported(argv(format, whole));
      const to = join(web.folder, `killed.${format}`);
      for (const write of [1, 3, 7]) {
        await killedAt(write, argv(format, to));
        assert.equal(existsSync(to), false, "what was killed does not look whole");
        assert.equal(existsSync(`${to}.part`), true);
      }
      await exported(argv(format, to));
      for (const ending of [".part", ".part.json", ".part.runs"]) {
        assert.equal(existsSync(to + ending), false, ending);
      }
      const bytes = readFileSync(to);
      // A WACZ has the date of its making.
      if (format === "jsonl") assert.ok(bytes.equals(readFileSync(whole)), "nothing is lost");
      else assert.equal(bytes.length, readFileSync(whole).length);
    }
  });
});
