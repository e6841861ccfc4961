import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordedTerminal, withFile } from "../../../test/support/cli/recorded-terminal.ts";
import { FOLLOWABLE_KINDS } from "../../formats/link/index.ts";
import { run } from "../shell/run.ts";

interface Shown {
  readonly code: number;
  readonly out: string;
  readonly complaints: string;
}

interface Given {
  readonly html?: Uint8Array;
  readonly base?: string;
  readonly json?: boolean;
  readonly flags?: readonly string[];
}

async function show(page: string, given: Given = {}): Promise<Shown> {
  const { html = Buffer.from(page), base = "https://example.org/dir/page", flags = [] } = given;
  const terminal = new RecordedTerminal();
  const json = given.json === false ? [] : ["--json"];
  const code = await withFile(html, (path) =>
    run(["inspect", "links", path, "--base", base, ...json, ...flags], terminal),
  );
  return { code, out: terminal.written, complaints: terminal.said };
}

function rows(out: string): unknown[] {
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("each link is a row, and the page is the last", async () => {
  const { code, out } = await show(
    `<title>A  page</title><meta name=robots content="noindex, nofollow"><meta charset=utf-8>
     <a href=next rel="nofollow ugc">To <b>the</b> next</a><iframe src=//other.example/x></iframe>`,
  );
  assert.equal(code, 0);
  assert.deepEqual(rows(out), [
    {
      url: "https://example.org/dir/next",
      kind: "a",
      rel: "nofollow ugc",
      text: "To the next",
    },
    { url: "https://other.example/x", kind: "iframe", rel: "", text: "" },
    {
      base: "https://example.org/dir/page",
      charset: "utf-8",
      title: "A page",
      robots: "noindex, nofollow",
    },
  ]);
});

test("links are resolved by the base element, wherever it stands", async () => {
  const { out } = await show("<a href=a>1</a><base href=../other/><a href=b>2</a><base href=/no/>");
  assert.deepEqual(
    rows(out).map((row) => (row as { url?: string; base?: string }).url ?? row),
    [
      "https://example.org/other/a",
      "https://example.org/other/b",
      { base: "https://example.org/other/", charset: "windows-1252", title: "", robots: "" },
    ],
  );
});

test("the query of a link is written in the encoding of the page", async () => {
  const { out } = await show("<a href='/é?q=é&amp;p=日'>x</a>", {
    html: Buffer.from("<a href='/\xe9?q=\xe9&amp;p=&#26085;'>x</a>", "latin1"),
    flags: ["--content-type", "text/html; charset=iso-8859-1"],
  });
  const [link] = rows(out) as { url: string }[];
  assert.equal(link?.url, "https://example.org/%C3%A9?q=%E9&p=%26%2326085%3B");
});

test("links of other kinds are shown when they are asked for", async () => {
  const page = "<a href=a>1</a><img src=b srcset='c 2x'>";
  assert.equal(rows((await show(page)).out).length, 2);
  const { out } = await show(page, { flags: ["--set", "parse.links=[img]"] });
  assert.deepEqual(
    rows(out)
      .slice(0, -1)
      .map((row) => (row as { url: string }).url),
    ["https://example.org/dir/b", "https://example.org/dir/c"],
  );
});

test("what is not a URL is left out", async () => {
  assert.equal(rows((await show("<a href='http://[::'>x</a>")).out).length, 1);
});

test("without --json the rows are lines in which nothing can act on the terminal", async () => {
  const { out } = await show("<title>a\x1b]0;b\x07</title><a href=x>\x1b[31mred</a>", {
    json: false,
  });
  assert.match(out, /^a {7}https:\/\/example\.org\/dir\/x {2}\\x1b\[31mred\n/);
  assert.ok(!out.includes("\x1b") && !out.includes("\x07"));
});

test("a base that is not an absolute URL is refused", async () => {
  const { code, out, complaints } = await show("<a href=x>", { base: "/page" });
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(complaints, /"\/page" is not an absolute URL/);
});

test("for a file without --base the message says that it is missing", async () => {
  const terminal = new RecordedTerminal();
  const code = await withFile("<a href=x>", (path) => run(["inspect", "links", path], terminal));
  assert.equal(code, 2);
  assert.match(terminal.said, /^trobar: --base is missing: .*--base https:\/\/example\.org\/\.\n$/);
});

test("every kind of link that the extractor knows can be asked for", async () => {
  const kinds = FOLLOWABLE_KINDS;
  const { code, complaints } = await show("", { flags: ["--set", `parse.links=[${kinds}]`] });
  assert.equal(code, 0, complaints);
  const scripted = await show("<script>go('/next.html')</script>", {
    flags: ["--set", "parse.scripts=true"],
  });
  assert.equal(rows(scripted.out).length, 2);
});

test("a file that is not there is a mistake of usage", async () => {
  const terminal = new RecordedTerminal();
  const line = ["inspect", "links", "no-such-file", "--base", "https://example.org/"];
  assert.equal(await run(line, terminal), 2);
  assert.match(terminal.said, /no-such-file.* does not exist/);
});
