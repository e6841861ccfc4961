import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import { inspectUrl } from "./inspect-url.ts";

async function* chunksOf(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

interface Given {
  readonly inputs: readonly string[];
  readonly flags?: readonly string[];
  readonly json?: boolean;
}

async function output(
  { inputs, flags = [], json = true }: Given,
  input: AsyncIterable<Uint8Array> = chunksOf(),
): Promise<string> {
  const terminal = new RecordedTerminal({ input });
  const words = [...flags, ...(json ? ["--json"] : []), "--", ...inputs];
  assert.equal(await inspectUrl(words, terminal), 0);
  return terminal.written;
}

async function rows(given: Given, stdin?: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const lines = (await output(given, stdin)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test("a URL is shown with its fetchable form, key, host and domain", async () => {
  assert.deepEqual(await rows({ inputs: ["HTTP://U:p@WWW.Example.co.uk.:80/a/../%7eb?c=%2f#d"] }), [
    {
      input: "HTTP://U:p@WWW.Example.co.uk.:80/a/../%7eb?c=%2f#d",
      url: "http://www.example.co.uk./%7eb?c=%2f",
      key: "http://www.example.co.uk/~b?c=%2F",
      host: "www.example.co.uk",
      domain: "example.co.uk",
    },
  ]);
});

test("what cannot be crawled is shown with the reason", async () => {
  assert.deepEqual(
    await rows({ inputs: ["mailto:a@b.c", "/x", `http://a/${"b".repeat(3_000)}`] }),
    [
      { input: "mailto:a@b.c", error: "scheme-unsupported" },
      { input: "/x", error: "base-missing" },
      { input: `http://a/${"b".repeat(3_000)}`, error: "url-too-long" },
    ],
  );
});

test("a relative URL is shown with what to do about it", async () => {
  const out = await output({ inputs: ["example.org/x", "x"], json: false });
  const [domain, path] = out.split('"x"\n');
  assert.match(domain ?? "", / Write "https:\/\/example\.org\/x" for the host, or .*--base\.\n$/);
  assert.match(path ?? "", /against\. Give the URL of its page with --base\.\n$/);
});

test("an input's own base comes before the common one", async () => {
  const shown = await rows(
    { inputs: ["x", "-", "y\thttps://own.test/p/"], flags: ["--base", "http://common.test/q/"] },
    chunksOf("z\thttp://line.test/\nw\n"),
  );
  assert.deepEqual(
    shown.map((row) => Object(row).url),
    [
      "http://common.test/q/x",
      "http://line.test/z",
      "http://common.test/q/w",
      "https://own.test/p/y",
    ],
  );
});

test("every line of standard input gives one row, whatever is in it", async () => {
  const bytes = Buffer.from("\ufeffhttp://a/\r\n\r\n\nhttp://é.test/\0\nhttp://b");
  const half = bytes.indexOf(0xc3) + 1;
  const stdin = chunksOf(bytes.subarray(0, half), bytes.subarray(half), Buffer.from([0xff]));
  assert.deepEqual(
    (await rows({ inputs: ["-"] }, stdin)).map((row) => [Object(row).input, Object(row).url]),
    [
      ["http://a/", "http://a/"],
      ["", undefined],
      ["", undefined],
      ["http://é.test/\0", "http://xn--9ca.test/"],
      ["http://b\ufffd", undefined],
    ],
  );
});

test("nothing comes of an empty standard input", async () => {
  assert.equal(await output({ inputs: ["-"] }), "");
});

test("a line of many megabytes is refused without being held in memory", async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 100; count += 1) yield Buffer.alloc(65_536, "a");
    yield Buffer.from("\nhttp://next.test/");
  }
  const [first, second, ...others] = await rows({ inputs: ["-"] }, endless());
  assert.deepEqual(first, { input: "a".repeat(2_048), error: "url-too-long" });
  assert.equal(Object(second).url, "http://next.test/");
  assert.deepEqual(others, []);
});

test("no more is read while what was read is still being written", async () => {
  let read = 0;
  let written = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (; read < 20; read += 1) yield Buffer.from("http://example.org/\n".repeat(1_000));
  }
  const write = async (text: string): Promise<boolean> => {
    await Promise.resolve();
    written += text.split("\n").length - 1;
    assert.ok(written > (read - 1) * 1_000, `${read} chunks were read, ${written} rows written`);
    return true;
  };
  const terminal = Object.assign(new RecordedTerminal({ input: source() }), { write });
  await inspectUrl(["-", "--json"], terminal);
  assert.equal(written, 20_000);
});

test("for people, rows are text in which nothing can act on the terminal", async () => {
  const inputs = ["http://example.org/\u001b[31m\u009b\u202e", "tel:1", "http://localhost"];
  const shown = await output({ inputs, json: false });
  assert.match(shown, /^ {2}url {5}http:\/\/example\.org\/%1B\[31m%C2%9B%E2%80%AE$/m);
  assert.match(shown, /^ {2}refused scheme-unsupported: The scheme is neither/m);
  assert.match(shown, /^ {2}domain {2}none$/m);
  assert.doesNotMatch(shown, /[^\n -~]/);
});

test("the rules and the limit of a configuration are applied", async () => {
  const rules =
    "url={sessionIds: keep, trackingParams: strip, sortQuery: true, trailingSlash: strip, " +
    "indexPages: strip, www: strip}";
  const inputs = [
    "http://www.example.org/a/index.html?utm_source=x&b=2&a=1",
    "http://a.test/12345",
  ];
  const shown = await rows({ inputs, flags: ["--set", rules, "--set", "limits.urlLength=64"] });
  assert.equal(Object(shown[0]).key, "http://example.org/a?a=1&b=2");
  assert.equal(Object(shown[0]).host, "example.org");
  assert.equal(Object(shown[1]).key, "http://a.test/12345");
});

test("mistakes of the flags and of the configuration are reported together", async () => {
  const terminal = new RecordedTerminal();
  await assert.rejects(inspectUrl(["--jsn", "--set", "fetch.retrys=1", "a"], terminal), {
    message: /2 mistakes:[\s\S]*--jsn[\s\S]*fetch\.retrys/,
  });
});
