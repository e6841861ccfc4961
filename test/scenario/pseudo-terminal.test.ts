/**
 * The program on a real pseudo-terminal, made by util-linux' `script`: the block keeps within its
 * width, dumb terminals get no escapes, and seeds from a pipe do not turn the view off.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { type CrawledWeb, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { needsProgram } from "../support/requirement.ts";

const skip = needsProgram("script");

/** Long enough for some redraws: robots.txt and two pages, half a second each. */
const HOSTS = () => ({
  "a.test": {
    pages: {
      "/robots.txt": { body: "", delayMs: 500 },
      "/": { ...linking("/1"), delayMs: 500 },
      "/1": { body: "one", delayMs: 500 },
    },
  },
});

const MAIN = `import { main } from ${JSON.stringify(resolve("src/cli/main.ts"))}; await main(process.argv.slice(1));`;

interface Screen {
  readonly columns: number;
  readonly term?: string;
  /** Seeds come from a pipe. */
  readonly piped?: boolean;
}

/** All that the terminal was sent. With a contact no note stands above the block. */
async function shown(web: CrawledWeb, { columns, term = "xterm", piped }: Screen): Promise<string> {
  const out = join(web.folder, `pty-${columns}-${term}-${piped === true}`);
  const seed = web.url("a.test/");
  const words = [
    ...[process.execPath, "--input-type=module", "-e", MAIN, "crawl", ...web.flags],
    ...[
      "-o",
      out,
      "-n",
      "5",
      "--contact",
      "crawls@a.test",
      ...(piped === true ? ["-i", "-"] : [seed]),
    ],
  ].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `${piped === true ? `echo '${seed}' | ` : ""}${words.join(" ")}`;
  const child = spawn("script", ["-qec", `stty cols ${columns} rows 30; ${command}`, "/dev/null"], {
    env: { ...process.env, TERM: term, NO_COLOR: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  return output;
}

/** Up some lines, or clear what follows. */
const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[\\d*[AJ]`, "g");

/** What stands on the screen at each end of a redraw: lines without the escapes around them. */
function blockLines(output: string): string[] {
  const end = output.lastIndexOf("\u001b[J");
  return output
    .slice(0, end)
    .replaceAll(ESCAPE, "\n")
    .split(/[\r\n]+/)
    .filter((line) => line !== "" && line !== "^D");
}

test("on 40, 80 and 200 columns no line of the block is broken, and it is gone at the end", {
  skip,
}, async () => {
  await withWeb(HOSTS, async (web) => {
    const widths = [40, 80, 200];
    const outputs = await Promise.all(widths.map((columns) => shown(web, { columns })));
    for (const [at, output] of outputs.entries()) {
      const columns = widths[at] ?? 0;
      const lines = blockLines(output);
      assert.ok(lines.length >= 6, output);
      for (const line of lines) assert.ok(line.length < columns, `${columns}: ${line}`);
      assert.ok(
        lines.some((line) => /^\d pages? · \d\.\d\/s · \d s/.test(line)),
        output,
      );
      assert.ok(
        lines.some((line) => line.startsWith("limited by ")),
        output,
      );
      assert.ok(
        lines.some((line) => /^\d+ % of 5 pages/.test(line)),
        output,
      );
      // Whatever is on the screen before the report was erased.
      const erased = output.lastIndexOf("\u001b[J");
      assert.match(output.slice(erased + 3), /^.{0,4}Finished:/);
      assert.match(output, /2 of 1 host, /);
    }
  });
});

test("a dumb terminal is sent no escape and no carriage return of ours", { skip }, async () => {
  await withWeb(HOSTS, async (web) => {
    const output = await shown(web, { columns: 80, term: "dumb" });
    assert.ok(!output.includes("\u001b"), output);
    assert.ok(!/\r[^\n]/.test(output), output);
    assert.match(output, /Finished: nothing is left to fetch/);
  });
});

test("seeds from a pipe leave the view as it is", { skip }, async () => {
  await withWeb(HOSTS, async (web) => {
    const output = await shown(web, { columns: 80, piped: true });
    assert.ok(
      blockLines(output).some((line) => line.startsWith("limited by ")),
      output,
    );
    assert.ok(!output.includes('{"event"'), output);
  });
});
