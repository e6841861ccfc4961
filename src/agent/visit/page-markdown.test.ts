import assert from "node:assert/strict";
import { test } from "node:test";
import { closedError } from "../../base/background/index.ts";
import type { Background, Done, Task } from "../../base/seams/index.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import { memoryBody } from "../units/memory-body.ts";
import type { EndedPage } from "./page-keeper.ts";
import { PageMarkdown } from "./page-markdown.ts";

/** A page whose content says what its conversion does. */
function page(content: string, more: Partial<EndedPage["row"]> = {}): EndedPage {
  const row = { url: "https://example.org/", status: 200, mime: "text/html", ...more };
  const body = memoryBody(Buffer.from(content));
  return { row, parsed: null, headers: [], body, keep: "whole", duplicate: null } as EndedPage;
}

/** Converts by the word in the content; `hang` is answered only when it is closed. */
class ScriptedBackground implements Background {
  #closed: (() => void) | null = null;

  run<Input, Output>(task: Task<Input, Output>, input: Input, done: Done<Output>): void {
    const { bytes } = input as { bytes: Uint8Array };
    const word = Buffer.from(bytes).toString();
    const made = { title: "", markdown: `# ${word}`, isRefused: word === "refuse" } as Output;
    if (word === "hang") this.#closed = () => done(closedError(task), undefined);
    else if (word === "die") done(closedError(task), undefined);
    else done(null, made);
  }

  close(): void {
    this.#closed?.();
  }
}

function rig() {
  const kernel = new Kernel({ seed: "markdown" });
  const { clock } = kernel;
  const opened: ScriptedBackground[] = [];
  const open = (): Background => {
    opened.push(new ScriptedBackground());
    return opened.at(-1) as Background;
  };
  return { kernel, opened, markdown: new PageMarkdown({ clock, open }) };
}

test("only good answers with HTML are converted, and no thread is started for others", () => {
  const { markdown, opened } = rig();
  assert.equal(markdown.of(page("a", { status: 404 })), null);
  assert.equal(markdown.of(page("a", { mime: "text/css" })), null);
  assert.equal(markdown.of({ ...page("a"), body: null }), null);
  assert.equal(opened.length, 0);
});

test("what cannot be converted has no Markdown, and the next page has its own", async () => {
  const { markdown, opened } = rig();
  const words = ["refuse", "die", "x".repeat(8 * 2 ** 20 + 1), "good"];
  const made = await Promise.all(words.map((word) => markdown.of(page(word))));
  assert.deepEqual(made, [null, null, null, "# good"]);
  assert.equal(opened.length, 1);
});

test("a page that takes too long loses its thread, and the next gets another", async () => {
  const { markdown, opened, kernel } = rig();
  const made = [markdown.of(page("hang")), markdown.of(page("good"))];
  while (opened.length < 1) await Promise.resolve();
  kernel.pass(10_000);
  assert.deepEqual(await Promise.all(made), [null, "# good"]);
  assert.equal(opened.length, 2);
});

test("closing answers the page that is converted, and those that wait", async () => {
  const { markdown, opened } = rig();
  const made = [markdown.of(page("hang")), markdown.of(page("good"))];
  while (opened.length < 1) await Promise.resolve();
  markdown.close();
  assert.deepEqual(await Promise.all(made), [null, null]);
  assert.deepEqual(await markdown.of(page("good")), null);
});
