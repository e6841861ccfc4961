import assert from "node:assert/strict";
import { test } from "node:test";
import { type InspectFilterIo, inspectFilter } from "./inspect-filter.ts";

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
  let out = "";
  let error = "";
  const io: InspectFilterIo = {
    stdin: (async function* () {
      yield* options.stdin ?? [];
    })(),
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    viewOf: viewOf,
    importModule: async () => ({
      Bad: {
        looksAt: "url",
        create: () => () => {
          throw new Error("no idea");
        },
      },
    }),
  };
  const code = await inspectFilter({ expression, urls, json: options.json ?? false }, io);
  return { code, out, error };
}

function viewOf(text: string) {
  if (!URL.canParse(text)) return undefined;
  const { href, protocol, hostname, pathname, search } = new URL(text);
  return {
    href,
    scheme: protocol.slice(0, -1),
    host: hostname,
    port: 443,
    path: pathname,
    query: search.slice(1),
    domain: hostname,
  };
}

const ORG = "https://example.org/a";
const IT = "https://example.it/login";

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

test("what is not a URL is said to be none and the others are answered", async () => {
  const { code, out } = await inspect("TRUE", ["nonsense", ORG], { json: true });
  assert.equal(code, 0);
  assert.equal(
    out,
    '{"url":"nonsense","accepts":false,"error":"not an absolute URL"}\n' +
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
  const { code, out } = await inspect("not ./mine.js#Bad()", [ORG]);
  assert.equal(code, 0);
  assert.match(out, /^refuses {2}https:\/\/example\.org\/a {2}\(.*Bad threw: no idea/m);
});
