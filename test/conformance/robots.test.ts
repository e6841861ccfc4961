/**
 * robots.txt files that others wrote: Google's published decisions, every one of which must be
 * ours too, and odd files of crawler-commons with what is known of them.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inspectRobots } from "../../src/cli/inspect/inspect-robots.ts";
import { parseRobots, robotsPath, sitemapUrls } from "../../src/formats/robots/index.ts";
import { RecordedTerminal, withFile } from "../support/cli/recorded-terminal.ts";
import { conformanceData } from "../support/requirement.ts";

const google = conformanceData("robots/google-correctness");
const odd = conformanceData("robots/files");

/** A value of protocol buffers' text format: quoted strings one after another, as octets. */
function quoted(text: string): string {
  const strings = text.match(/"(?:[^"\\]|\\[\s\S])*"/g) ?? [];
  return strings.map((string) => unescaped(string.slice(1, -1))).join("");
}

function unescaped(text: string): string {
  const letters: Record<string, string> = { n: "\n", r: "\r", t: "\t" };
  return text.replace(/\\(x[0-9A-Fa-f]{2}|[\s\S])/g, (_, code: string) =>
    code.length === 3
      ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
      : (letters[code] ?? code),
  );
}

interface Vector {
  readonly robots: string;
  readonly url: string;
  readonly agent: string;
  readonly allowed: boolean;
}

/** The files are flat enough to be read by their field names, in order. */
function vectors(text: string): Vector[] {
  const strings = '((?:\\s*"(?:[^"\\\\]|\\\\[\\s\\S])*")+)';
  const field = new RegExp(
    `(robotstxt|testurl|useragent):${strings}|expected_outcome: (\\w+)`,
    "g",
  );
  const found: Vector[] = [];
  const last: Record<string, string> = {};
  for (const match of text.matchAll(field)) {
    if (match[1] !== undefined) last[match[1]] = quoted(match[2] ?? "");
    else {
      found.push({
        robots: last["robotstxt"] ?? "",
        url: Buffer.from(last["testurl"] ?? "", "latin1").toString("utf8"),
        agent: last["useragent"] ?? "",
        allowed: match[3] === "ALLOWED",
      });
    }
  }
  return found;
}

function allVectors(): Vector[] {
  const texts = readdirSync(google.path).map((name) =>
    readFileSync(join(google.path, name), "latin1"),
  );
  const all = texts.flatMap(vectors);
  assert.equal(all.length, 146, "all expectations of the suite were read");
  return all;
}

test("every decision that Google published is ours", { skip: google.skip }, () => {
  for (const vector of allVectors()) {
    const { rules } = parseRobots(Buffer.from(vector.robots, "latin1"), vector.agent);
    const path = robotsPath(vector.url);
    assert.equal(rules.decide(path).allowed, vector.allowed, JSON.stringify(vector));
    assert.equal(rules.allows(path), vector.allowed, JSON.stringify(vector));
  }
});

test("`inspect robots` prints what Google published", { skip: google.skip }, async () => {
  for (const { robots, agent, url, allowed: expected } of allVectors()) {
    const terminal = new RecordedTerminal();
    await withFile(Buffer.from(robots, "latin1"), (path) =>
      inspectRobots([path, "--json", `--agent=${agent}`, "--", url], terminal),
    );
    assert.equal(terminal.rows()[0]?.["allowed"], expected, `${robots} ${agent} ${url}`);
  }
});

function oddFile(name: string, agent = "anybot") {
  return parseRobots(readFileSync(join(odd.path, name)), agent);
}

function allowed(name: string, agent: string, path: string): boolean {
  return oddFile(name, agent).rules.allows(path);
}

test("every odd file is read as text, and says something", { skip: odd.skip }, () => {
  const names = readdirSync(odd.path);
  assert.equal(names.length, 24);
  for (const name of names) assert.equal(oddFile(name).form, "text", name);
});

test("odd files mean what they are known to mean", { skip: odd.skip }, () => {
  const expectations: [file: string, agent: string, path: string, allowed: boolean][] = [
    ["robots-with-utf8-bom.txt", "foobot", "/profile", false],
    ["robots-with-utf16le-bom.txt", "foobot", "/profile", false],
    ["robots-with-utf16be-bom.txt", "foobot", "/profile", false],
    ["www.flot.com-robots.txt", "foobot", "/img/", false],
    ["directive-typos-robots.txt", "bot1", "/desallow/", false],
    ["directive-typos-robots.txt", "bot1", "/dissalow/", false],
    ["directive-typos-robots.txt", "bot2", "/useragent/", false],
    ["directive-typos-robots.txt", "bot3", "/useg-agent/", false],
    ["directive-typos-robots.txt", "bot4", "/useragent-no-colon/", false],
    ["format-errors-robots.txt", "bot1", "/whitespace-before-colon/", false],
    ["format-errors-robots.txt", "bot1", "/no-colon/", false],
    ["format-errors-robots.txt", "bot2", "/no-colon-useragent/", false],
    ["format-errors-robots.txt", "bot3", "/whitespace-before-colon/", true],
    ["format-errors-robots.txt", "bot3", "/other", false],
    ["many-user-agents.txt", "wget", "/", false],
    ["many-user-agents.txt", "nobody", "/", true],
    ["many-user-agents.txt", "nobody", "/bot-trap/", false],
    ["malformed-path.txt", "bot1", "/wiki/Wikipedia_talk:Mediation_Committee/", false],
    ["malformed-path.txt", "bot1", "/wiki/", true],
    ["wildcards.txt", "bot1", "/wishlist/bogus", false],
    ["wildcards.txt", "bot1", "/wishlist/universal/page", true],
    ["wildcards.txt", "bot1", "/anydirectoryhere/gcrnsts", false],
    ["crawl-delay-group-merging.txt", "mybot", "/private/", false],
    ["crawl-delay-group-merging.txt", "mybot", "/login/", true],
    ["crawl-delay-group-merging.txt", "yourbot", "/private/", false],
    ["crawl-delay-group-merging.txt", "yourbot", "/login/", false],
    ["extensions-group-merging.txt", "mybot", "/private/", false],
    ["extensions-group-merging.txt", "anybot", "/x", false],
    ["extensions-group-merging.txt", "anybot", "/llms.txt", true],
    ["merge-rules.txt", "wget", "/foo/bar", true],
    ["merge-rules.txt", "wget", "/tmp/bar", false],
    ["precedence-of-rules.txt", "testy", "/foo/bar", true],
    ["precedence-of-rules.txt", "testy", "/foo/baz", false],
    ["precedence-of-rules.txt", "testy", "/foo/x", false],
    ["rfc9309-example-simple-robots.txt", "foobot", "/example/page.html", true],
    ["rfc9309-example-simple-robots.txt", "foobot", "/example/", false],
    ["rfc9309-example-simple-robots.txt", "bazbot", "/example/page.html", false],
    ["rfc9309-example-simple-robots.txt", "quxbot", "/example/page.html", true],
    ["rfc9309-example-simple-robots.txt", "anybot", "/example/allowed.gif", false],
    ["rfc9309-example-simple-robots.txt", "anybot", "/publications/", true],
    ["rfc9309-example-longest-match-robots.txt", "foobot", "/example/page/disallowed.gif", false],
    ["rfc9309-example-longest-match-robots.txt", "foobot", "/example/page/x", true],
    ["rfc9309-example-rule-group-merging.txt", "examplebot", "/baz", false],
    ["rfc9309-example-rule-group-merging.txt", "examplebot", "/foo", false],
    ["twitter.com-robots.txt", "anybot", "/x?y", false],
  ];
  for (const [file, agent, path, expected] of expectations) {
    assert.equal(allowed(file, agent, path), expected, `${file}, ${agent}, ${path}`);
  }
});

test("crawl delays and sitemaps of odd files are found", { skip: odd.skip }, () => {
  assert.equal(oddFile("dos-line-endings.txt").crawlDelayMs, 1000);
  assert.equal(oddFile("astore.amazon.com-robots.txt").crawlDelayMs, 5000);
  assert.equal(oddFile("twitter.com-robots.txt", "msnbot").crawlDelayMs, 10_000);
  assert.equal(oddFile("twitter.com-robots.txt", "googlebot").crawlDelayMs, null);
  assert.equal(oddFile("crawl-delay-group-merging.txt", "mybot").crawlDelayMs, 10_000);
  assert.equal(oddFile("crawl-delay-group-merging.txt", "yourbot").crawlDelayMs, null);
  assert.equal(oddFile("crawl-delay-group-merging.txt").crawlDelayMs, 30_000);
  assert.deepEqual(oddFile("sitemap-robots.txt").sitemaps, [
    "http://domain.com/sitemap.xml",
    "http://domain.com/dir/my-sitemap.xml",
    "http://domain.com/dir/MixedCased-sitemap.xml",
  ]);
  assert.equal(oddFile("sitemap-robots-dedup.txt").sitemaps.length, 1);
  const relative = oddFile("relative-sitemap-robots.txt");
  assert.deepEqual(sitemapUrls(relative, "https://a.org/robots.txt"), [
    "https://a.org/sitemap.xml",
  ]);
  assert.deepEqual(oddFile("robots-with-utf16be-bom.txt").sitemaps, [
    "http://www.newsweek.com/sitemap_index.xml",
  ]);
  assert.deepEqual(oddFile("extensions-group-merging.txt").signals, [
    { name: "content-signal", value: "search=yes,ai-train=yes,ai-input=yes", line: 8 },
  ]);
});
