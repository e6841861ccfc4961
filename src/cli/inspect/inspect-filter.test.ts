import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { URL_REFUSALS } from "../../formats/url/index.ts";
import { run } from "../shell/run.ts";

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function inspect(
  expression: string,
  urls: readonly string[],
  options: { readonly json?: boolean; readonly stdin?: readonly (string | Uint8Array)[] } = {},
): Promise<Outcome> {
  const terminal = new RecordedTerminal({ input: options.stdin ?? [] });
  const flags = options.json === true ? ["--json"] : [];
  const code = await run(["inspect", "filter", ...flags, expression, ...urls], terminal);
  return { code, out: terminal.written, error: terminal.said };
}

const ORG = "https://example.org/a";
const IT = "https://example.it/login";
const FAILING =
  "data:text/javascript,export const Bad = { looksAt: `url`, " +
  "create: () => () => { throw new Error(`no idea`) } }";

test("with --json each URL is one row and nothing else is written", async () => {
  const { code, out } = await inspect("HostEndsWith(.it)", [ORG, IT], { json: true });
  assert.equal(code, 0);
  assert.equal(out, `{"url":"${ORG}","accepts":false}\n{"url":"${IT}","accepts":true}\n`);
});

test("for people it says how an expression was understood", async () => {
  const { out } = await inspect("!HostEndsWith( .it ) && URLGlob(*/a*)", [ORG, IT]);
  assert.equal(
    out,
    `expression: not HostEndsWith(.it) and URLGlob(*/a*)\naccepts  ${ORG}\nrefuses  ${IT}\n`,
  );
});

test("for people it says that a glob was understood", async () => {
  const { out } = await inspect("*/login*", [IT]);
  assert.equal(out, `glob: URLGlob(*/login*)\naccepts  ${IT}\n`);
});

test("URLs are read from standard input, whatever the chunks", async () => {
  const bytes = new TextEncoder().encode(`${ORG}\r\n\n${IT}`);
  const stdin = [bytes.subarray(0, 5), bytes.subarray(5, 30), bytes.subarray(30)];
  const { out } = await inspect("TRUE", ["-"], { json: true, stdin });
  assert.equal(out, `{"url":"${ORG}","accepts":true}\n{"url":"${IT}","accepts":true}\n`);
});

test("a text that is not a URL is reported, and the others are answered", async () => {
  const { code, out } = await inspect("TRUE", ["nonsense", ORG], { json: true });
  assert.equal(code, 0);
  assert.equal(
    out,
    `{"url":"nonsense","accepts":false,"error":"${URL_REFUSALS["base-missing"]}"}\n` +
      `{"url":"${ORG}","accepts":true}\n`,
  );
});

test("a wrong filter ends with 2, its mistakes on standard error and nothing on output", async () => {
  const { code, out, error } = await inspect("HostEndsWth(.it) and StatusIs(200)", [ORG]);
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(error, /did you mean HostEndsWith\?/);
  assert.match(error, /StatusIs looks at a response; .* sees only URLs/);
});

test("an atom of a user that fails is shown with its row", async () => {
  const { code, out } = await inspect(`not '${FAILING}'#Bad()`, [ORG]);
  assert.equal(code, 0);
  assert.match(out, /^refuses {2}https:\/\/example\.org\/a {2}\(.*Bad threw: no idea/m);
});

test("atoms of the configuration's modules are known by name, found beside its file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-"));
  try {
    const atom =
      "export const Short = { looksAt: 'url', create: () => (url) => url.path === '/' };";
    writeFileSync(join(folder, "atoms.mjs"), atom);
    writeFileSync(join(folder, "c.yaml"), "filters: { modules: [./atoms.mjs] }");
    const terminal = new RecordedTerminal();
    const args = ["--json", "--config", join(folder, "c.yaml"), "Short()", "http://a.test/"];
    assert.equal(await run(["inspect", "filter", ...args], terminal), 0, terminal.said);
    assert.equal(terminal.written, '{"url":"http://a.test/","accepts":true}\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a line too long for a URL is refused, not answered for its beginning", async () => {
  const stdin = [`http://a.test/${"a/../".repeat(20_000)}b\n`, "http://a.test/\n"];
  const { out } = await inspect("SchemeEquals(http)", ["-"], { json: true, stdin });
  const rows = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ accepts }) => accepts),
    [false, true],
  );
  assert.equal(rows[0].error, URL_REFUSALS["url-too-long"]);
});
