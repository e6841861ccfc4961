/** The recipes of CONTRIBUTING.md as data: numbered steps, each with its file and its blocks. */
import assert from "node:assert/strict";

export interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly text: string;
  /** The last file named before the first block; null where none is. */
  readonly file: string | null;
  readonly blocks: readonly Block[];
}

export interface Block {
  readonly language: string;
  readonly text: string;
}

export function recipesOf(page: string): Recipe[] {
  const [, section = ""] = page.split(/^## Recipes$/m);
  const [, ...parts] = section.split(/^### /m);
  return parts.map((part) => {
    const [, ...steps] = part.split(/^\d+\. /m);
    return { title: part.slice(0, part.indexOf("\n")), steps: steps.map(stepOf) };
  });
}

function stepOf(text: string): Step {
  const blocks = [...text.matchAll(/^ {3}```(\w+)\n([\s\S]*?)^ {3}```$/gm)];
  const [beginning = ""] = text.split("```", 1);
  const files = [...beginning.matchAll(/`([\w-]+\/[\w/.-]+\.\w+)`/g)];
  return {
    text: beginning.trim(),
    file: files.at(-1)?.[1] ?? null,
    blocks: blocks.map(([, language = "", body = ""]) => ({
      language,
      text: body.replace(/^ {3}/gm, ""),
    })),
  };
}

/** The text after a change; its context and the lines that it removes stand in the text exactly once. */
export function withChange(text: string, change: string): string {
  const lines = change.trimEnd().split("\n");
  const side = (other: string) =>
    lines.filter((line) => !line.startsWith(other)).map((line) => `${line.slice(1)}\n`);
  const before = side("+").join("");
  const count = text.split(before).length - 1;
  assert.equal(count, 1, `this stands ${count} times in the file, not once:\n${before}`);
  return text.replace(before, () => side("-").join(""));
}
