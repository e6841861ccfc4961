import assert from "node:assert/strict";
import { test } from "node:test";
import { type MainContent, openMainContent } from "./main-content.ts";

const LONG = "<p>A long paragraph, with commas, about apples and pears, so that it counts.</p>";

async function read(html: string, contentType = "text/html"): Promise<MainContent> {
  const main = await openMainContent();
  return main({ url: "https://example.org/a/", contentType, bytes: Buffer.from(html, "latin1") });
}

test("the main content is found without the elements around it, and its links are absolute", async () => {
  const html =
    "<html><head><title>T</title></head><body><nav><a href=/>menu</a></nav>" +
    `<article><h2>Caf\xe9</h2>${LONG.repeat(9)}<p>See <a href="b">the rest</a>.</article></body></html>`;
  const { title, markdown, isRefused } = await read(html, "text/html; charset=iso-8859-1");
  assert.deepEqual([title, isRefused], ["T", false]);
  assert.match(markdown, /^## Café\n\nA long paragraph/);
  assert.match(markdown, /See \[the rest\]\(https:\/\/example\.org\/a\/b\)\.$/);
  assert.doesNotMatch(markdown, /menu/);
});

test("the tags of html, head and body may be left out", async () => {
  for (const before of ["", "<!doctype html>", "<html lang=en><head>"]) {
    const { markdown } = await read(`${before}<title>T</title><h2>Head</h2>${LONG.repeat(9)}`);
    assert.match(markdown, /^## Head\n\nA long/, before);
  }
});

test("a page without main content is given as text", async () => {
  const hidden = '<html><body><div style="display:none"><form>a</form></div></body></html>';
  assert.deepEqual(await read(hidden), { title: "", markdown: "a", isRefused: false });
  assert.deepEqual(await read(""), { title: "", markdown: "", isRefused: false });
});

test("pages that would take too long are refused, and have their text", async () => {
  for (const much of [
    "<br>".repeat(50_001),
    "<div>".repeat(600),
    `<!--${"x".repeat(2 ** 21)}-->`,
  ]) {
    const { markdown, isRefused } = await read(`<html><body>text${much}</body></html>`);
    assert.deepEqual([markdown, isRefused], ["text", true], much.slice(0, 5));
  }
});
