import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { EXPORT_FORMATS } from "../../store/export/index.ts";
import { COMMANDS } from "./command-table.ts";
import { run } from "./run.ts";
import { mayColour } from "./terminal.ts";

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function trobar(args: readonly string[], environment = {}): Promise<Outcome> {
  const terminal = new RecordedTerminal({ environment });
  const code = await run(args, terminal);
  return { code, out: terminal.written, err: terminal.said };
}

test("--help shows what people come for first, and nothing that does not exist", async () => {
  for (const args of [["--help"], ["-h"], [], ["help"]]) {
    const { code, out, err } = await trobar(args);
    assert.equal(code, 0);
    assert.equal(err, "");
    for (const { name, built } of COMMANDS) {
      // A command of two words is not shown by what begins like it.
      const longer = COMMANDS.filter((other) => other.built && other.name.startsWith(`${name} `));
      const lines = out.split("\n").filter((line) => line.startsWith(`  ${name} `));
      const own = lines.filter(
        (line) => !longer.some((other) => line.startsWith(`  ${other.name} `)),
      );
      assert.equal(own.length > 0, built, name);
    }
    const places = ["trobar demo", "  crawl ", "  demo ", "  inspect "].map((at) =>
      out.indexOf(at),
    );
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
  }
});

test("help keeps within eighty columns", async () => {
  const asked = [[], ["inspect"], ...COMMANDS.map(({ name }) => name.split(" "))];
  for (const words of asked) {
    const { out } = await trobar([...words, "--help"]);
    for (const line of out.split("\n")) assert.ok(line.length <= 80, `${line.length}: ${line}`);
  }
});

test("every command explains itself with an example", async () => {
  for (const { name, example, flags } of COMMANDS) {
    const words = name.split(" ");
    const asked = await trobar([...words, "--help"]);
    assert.equal(asked.code, 0);
    assert.ok(asked.out.includes(`Usage: trobar ${name}`), name);
    assert.ok(asked.out.includes(`\n  ${example}\n`), name);
    for (const { long, unbuilt } of flags) {
      const isShown = new RegExp(`--${long}(?![\\w-])`).test(asked.out);
      assert.equal(isShown, unbuilt !== true, `${name} --${long}`);
    }
    assert.deepEqual(await trobar(["help", ...words]), asked, name);
  }
});

test("the help on crawls names the lanes, which are built", async () => {
  const { out } = await trobar(["crawl", "--help"]);
  assert.match(out, /--lanes N\|auto +threads that crawl/);
});

test("the help on exports names every format", async () => {
  const { out } = await trobar(["store", "export", "--help"]);
  const [said = ""] = out.match(/FORMAT is [^.]*/) ?? [];
  assert.deepEqual(
    said
      .split(/[\s,]+|\bor\b/)
      .slice(2)
      .filter(Boolean),
    [...Object.keys(EXPORT_FORMATS)],
  );
});

test("help refuses flags that it does not know", async () => {
  const { code, err } = await trobar(["help", "inspect", "url", "--bogus"]);
  assert.equal(code, 2);
  assert.match(err, /flag --bogus: is unknown/);
});

test("a command that is not built yet says so, and what works", async () => {
  for (const { name } of COMMANDS.filter(({ built }) => !built)) {
    const { code, out, err } = await trobar([...name.split(" "), "x"]);
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(
      err,
      new RegExp(`^trobar: \`trobar ${name}\` is not part of this version \\(0\\.`),
    );
    assert.match(err, /\nWhat works today: .*trobar inspect config/);
    assert.equal(err.trimEnd().split("\n").length, 2);
  }
});

const UNKNOWN: readonly (readonly [line: string, shown: RegExp])[] = [
  ["crwal https://a/", /there is no command "crwal"; did you mean `trobar crawl`\?/],
  ["CRAWL", /did you mean `trobar crawl`\?/],
  ["config", /did you mean `trobar inspect config`\?/],
  ["inspct config", /did you mean `trobar inspect config`\?/],
  ["inspect confg", /inspect has no command "confg"; did you mean `trobar inspect config`\?/],
  ["inspect zebra", /inspect has no command "zebra"; there are `trobar inspect config`,/],
  ["inspect topolgy", /no command "topolgy"; did you mean `trobar inspect topology`\?/],
  ["staus", /there is no command "staus"/],
  ["zebra", /there is no command "zebra"; `trobar --help` lists them/],
  ["help zebra", /there is no command "zebra"/],
  ["__proto__", /there is no command "__proto__"/],
  ["constructor", /there is no command "constructor"/],
  ["inspect", /inspect needs a command after it/],
  ["--hlep", /flag --hlep: is unknown; did you mean --help\?/],
  ["--versoin --foo", /2 mistakes:\n.*did you mean --version\?\n.*--foo: is unknown/],
  ["\u001b[31mred", /there is no command "\\x1b\[31mred"/],
];

for (const [line, shown] of UNKNOWN) {
  test(`\`trobar ${JSON.stringify(line).slice(1, -1)}\` is refused with what may be meant`, async () => {
    const { code, out, err } = await trobar(line.split(" "));
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, shown);
  });
}

test("a group explains itself when asked", async () => {
  const { code, out } = await trobar(["inspect", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /inspect config .*\n.*inspect filter/);
  assert.match((await trobar(["store", "--help"])).out, /store export /);
});

test("--version is the version and nothing else", async () => {
  for (const flag of ["--version", "-V"]) assert.match((await trobar([flag])).out, /^\d+\.\d+/);
  const { code, out } = await trobar(["--version"]);
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\S*\n$/);
});

test("a failure of the world ends a command with its own exit code", async () => {
  const codes = await Promise.all(
    (["STORAGE_FULL", "STORAGE_FAILED", "CONFIG_INVALID", "BACKGROUND_CLOSED"] as const).map(
      (code) =>
        run(
          ["help"],
          new RecordedTerminal(),
          new Map([["help", async () => () => Promise.reject(new CrawlError(code, "It failed."))]]),
        ),
    ),
  );
  assert.deepEqual(codes, [4, 4, 2, 1]);
});

test("only terminals get colour, and only if the user does not decline it", () => {
  assert.equal(mayColour(true, {}), true);
  assert.equal(mayColour(true, { NO_COLOR: "" }), true);
  assert.equal(mayColour(true, { NO_COLOR: "1" }), false);
  assert.equal(mayColour(true, { TERM: "dumb" }), false);
  assert.equal(mayColour(false, {}), false);
});
