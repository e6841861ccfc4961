import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  parseRobots,
  ROBOTS_BYTES_MAX,
  type RobotsFile,
  robotsSitemaps,
  sitemapUrls,
} from "./index.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 50_000 : 2_000;

function file(text: string | Uint8Array, token = "trobar", complete = true): RobotsFile {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  return parseRobots(bytes, token, complete);
}

function allows(text: string | Uint8Array, path: string, token = "trobar"): boolean {
  return file(text, token).rules.allows(path);
}

test("all groups that name the crawler count together, and no others", () => {
  const text = [
    "User-agent: trobar\nDisallow: /a",
    "User-agent: *\nDisallow: /b",
    "user-AGENT: TroBar/1.0 (we know you)\nDisallow: /c",
    "User-agent: trobar-news\nDisallow: /d",
  ].join("\n\n");
  assert.deepEqual(
    ["/a", "/b", "/c", "/d"].map((path) => allows(text, path)),
    [false, true, false, true],
  );
  assert.deepEqual(
    ["/a", "/b", "/c"].map((path) => allows(text, path, "other")),
    [true, false, true],
  );
});

test("a group without rules is still the crawler's own", () => {
  assert.equal(allows("User-agent: *\nDisallow: /\n\nUser-agent: trobar\n", "/x"), true);
});

test("a name with digits is found, although tokens of the RFC have none", () => {
  const text = "User-agent: bot42\nDisallow: /\n";
  assert.equal(allows(text, "/x", "bot42"), false);
  assert.equal(allows(text, "/x", "bot43"), true);
  assert.equal(allows(text, "/x", ""), true);
});

test("neither Sitemap nor an unknown line ends a list of user agents", () => {
  const text =
    "User-agent: trobar\nSitemap: /s.xml\nHost: a.org\nUser-agent: other\nDisallow: /x\n";
  assert.equal(allows(text, "/x"), false);
  assert.equal(allows(text, "/x", "other"), false);
});

test("rules before any group are ignored", () => {
  assert.equal(allows("Disallow: /\nUser-agent: *\nDisallow: /a\n", "/x"), true);
});

test("misspelled and unpunctuated lines are read as they were meant", () => {
  const keys = ["Disallow:", "DISALLOW :", "disalow:", "Dissallow:", "desallow:", "disallow"];
  for (const key of keys) assert.equal(allows(`User-agent: *\n${key} /x\n`, "/x"), false, key);
  const agents = ["useragent: *", "User agent: *", "user-agent *", "\tUser-agent\t:\t* # all"];
  for (const agent of agents) {
    assert.equal(allows(`${agent}\nDisallow: /x\n`, "/x"), false, agent);
  }
});

test("three words without a colon are not a line", () => {
  assert.equal(allows("User-agent: *\nDisallow /x /y\n", "/x"), true);
});

test("every kind of line end is one, and a rule knows its line", () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    const text = ["", "User-agent: *", "", "Disallow: /x"].join(end);
    assert.deepEqual(file(text).rules.decide("/x").rule, { text: "Disallow: /x", line: 4 });
  }
});

test("marks, NULs and UTF-16 without a mark do not hide the rules", () => {
  const text = "User-agent: *\nDisallow: /x\n";
  assert.equal(allows(`\ufeff${text}`, "/x"), false);
  assert.equal(allows(text.replaceAll("s", "s\0"), "/x"), false);
  assert.equal(allows(Buffer.from(text, "utf16le"), "/x"), false);
  assert.equal(allows(Buffer.from(`\ufeff${text}Disallow: /ü\n`, "utf16le"), "/%C3%BC"), false);
});

test("a comment ends a line, and an empty rule says nothing", () => {
  assert.equal(allows("User-agent: *\nDisallow: /x#y\n", "/x"), false);
  assert.equal(allows("User-agent: *\nDisallow:\nDisallow: # all\n", "/x"), true);
});

test("what is beyond 500 KiB is ignored, and so is the line that the limit cuts", () => {
  const start = "User-agent: *\nDisallow: /first\n";
  const padding = "#".repeat(ROBOTS_BYTES_MAX - start.length - 14);
  const long = file(`${start}${padding}\nDisallow: /second\nDisallow: /third\n`);
  assert.equal(long.truncated, true);
  assert.deepEqual(
    ["/first", "/sec", "/second", "/third"].map((path) => long.rules.allows(path)),
    [false, true, true, true],
  );
});

test("the last line of an interrupted transfer is not used", () => {
  const broken = file("User-agent: *\nDisallow: /a\nDisallow: /", "trobar", false);
  assert.deepEqual([broken.rules.allows("/a"), broken.rules.allows("/b")], [false, true]);
  assert.equal(broken.truncated, true);
});

test("a line counts up to 16663 octets", () => {
  const path = `/x/${"a".repeat(20_000)}`;
  const text = `User-agent: *\nDisallow: ${path}/y\n`;
  assert.equal(allows(text, `${path}/z`), false);
  assert.equal(allows(text, path.slice(0, 16_652)), true);
  assert.equal(allows(text, path.slice(0, 16_653)), false);
});

test("a web page has no rules, and is said to be one", () => {
  const rules = "\nUser-agent: *\nDisallow: /\n";
  for (const start of ["<!DOCTYPE html>", "\n <html>", "\ufeff<?xml version='1.0'?>", "<pre>"]) {
    const page = file(start + rules);
    assert.equal(page.form, "html", start);
    assert.equal(page.rules.allows("/x"), true, start);
  }
  assert.equal(allows(`<!-- a comment -->${rules}`, "/x"), false);
});

test("a body that is not a robots.txt is reported as what it is", () => {
  assert.equal(file("").form, "empty");
  assert.equal(file("\r\n \n").form, "empty");
  assert.equal(file(Buffer.from("\x89PNG\r\n\x1a\n\x00\x01")).form, "binary");
  assert.equal(file("nothing here").form, "text");
});

test("a crawl delay may be written in many ways", () => {
  const delay = (value: string) => file(`User-agent: *\nCrawl-delay: ${value}\n`).crawlDelayMs;
  assert.equal(delay("10"), 10_000);
  assert.equal(delay("0.5"), 500);
  assert.equal(delay(".25 # quick"), 250);
  assert.equal(delay("1,5"), 1_500);
  assert.equal(delay("5 seconds"), 5_000);
  assert.equal(delay("0"), 0);
  for (const wrong of ["-1", "soon", "", "NaN"]) assert.equal(delay(wrong), null, wrong);
  for (const huge of ["99999999999999999999", "1e400", "Infinity"]) {
    assert.equal(delay(huge), 365 * 24 * 3_600_000, huge);
  }
});

test("the longest crawl delay of the crawler's own groups counts", () => {
  const text =
    "User-agent: trobar\nCrawl-delay: 5\nUser-agent: trobar\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 9\n";
  assert.equal(file(text).crawlDelayMs, 5_000);
  assert.equal(file(text, "other").crawlDelayMs, 9_000);
});

test("sitemaps are found anywhere, and resolved against the URL of the file", () => {
  const found = file(
    "Sitemap: https://b.org/s.xml\nUser-agent: x\nSite-map: /t.xml\nsitemap:t.xml\nSitemap: ftp://c/\nSitemap:\n",
  );
  assert.deepEqual(found.sitemaps, ["https://b.org/s.xml", "/t.xml", "t.xml", "ftp://c/"]);
  assert.deepEqual(sitemapUrls(found, "https://a.org/robots.txt"), [
    "https://b.org/s.xml",
    "https://a.org/t.xml",
  ]);
});

test("content signals are kept for whom they concern", () => {
  const text =
    "Content-Usage: train-ai=n\nUser-agent: a\nContent-Signal: search=yes\nUser-agent: *\nDisallow:\nContent-Signal: ai-train=no\n";
  assert.deepEqual(
    file(text, "a").signals.map(({ value }) => value),
    ["train-ai=n", "search=yes", "ai-train=no"],
  );
  assert.deepEqual(
    file(text, "b").signals.map(({ name, line }) => [name, line]),
    [
      ["content-usage", 1],
      ["content-signal", 6],
    ],
  );
});

const piece = fc.constantFrom(
  "User-agent: *",
  "User-agent: trobar",
  "Disallow: /",
  "Allow: /a*b$",
  "Crawl-delay: ",
  "Sitemap: ",
  "\n",
  "\r",
  "\r\n",
  "#",
  ":",
  " ",
  "\ufeff",
  "\0",
  "%7",
  "%7e",
  "*",
  "$",
  "ü",
);

test("no bytes make it fail, and every path is decided", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(""), "utf8")),
  );
  fc.assert(
    fc.property(bytes, fc.string({ unit: "binary", maxLength: 40 }), (body, rest) => {
      const { rules } = file(body);
      const decision = rules.decide(`/${rest}`);
      assert.equal(rules.allows(`/${rest}`), decision.allowed);
      assert.ok(decision.allowed || decision.rule !== null);
    }),
    { numRuns },
  );
});

test("a file made to be slow is read in bounded work", () => {
  const bodies = [
    " ".repeat(ROBOTS_BYTES_MAX),
    `User-agent:${" ".repeat(16_000)}x\n`.repeat(30),
    "User-agent: a\n".repeat(ROBOTS_BYTES_MAX / 14),
    "User-agent: *\nDisallow: /*\n".repeat(ROBOTS_BYTES_MAX / 28),
    `User-agent: *\nDisallow: /${"a*".repeat(250_000)}`,
    `User-agent: *\n${Array.from({ length: 900 }, (_, n) => `Disallow:/${"a".repeat(n)}b`).join("\n")}`,
    "\r".repeat(ROBOTS_BYTES_MAX),
    ":".repeat(ROBOTS_BYTES_MAX),
    "%e3".repeat(ROBOTS_BYTES_MAX / 3),
  ];
  for (const body of bodies) assert.equal(typeof allows(body, `/${"a".repeat(2_000)}`), "boolean");
});

test("the sitemaps of a file are found without its rules too", () => {
  const files = [
    "Sitemap: /a.xml\nUser-agent: *\nDisallow: /\nSitemap:/b.xml # b\nsite-map: /c\nSitemap: /a.xml",
    "https://a.test/bare.xml\nSitemap:\nSitemap: /\u00e9.xml",
    "<html>\nSitemap: /a.xml",
    `${"#".repeat(600_000)}\nSitemap: /late.xml`,
    "",
  ];
  for (const text of files) {
    const bytes = Buffer.from(text);
    assert.deepEqual(robotsSitemaps(bytes).sitemaps, parseRobots(bytes, "trobar").sitemaps);
  }
});
