/** The documents of the project as the tests read them: tables, links, headings, code. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";

export interface Page {
  /** Path from the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface Link {
  /** Path from the root of the project; the page itself for `#anchor` alone. */
  readonly file: string;
  readonly anchor: string | null;
}

export const PAGES: readonly Page[] = globSync(["*.md", "docs/**/*.md", "examples/*.md"])
  .map((path) => path.split(sep).join("/"))
  .sort()
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** Every table as rows of cells, without its head. */
export function tablesOf({ text }: Page): string[][][] {
  const tables: string[][][] = [];
  let rows: string[][] | null = null;
  for (const line of withoutFences(text).split("\n")) {
    if (!line.startsWith("|")) rows = null;
    else if (/^\|[-:| ]+\|$/.test(line)) {
      rows = [];
      tables.push(rows);
    } else rows?.push(cellsOf(line));
  }
  return tables;
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Links within the project. */
export function linksOf({ path, text }: Page): Link[] {
  const targets = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, target = ""]) => target,
  );
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", anchor = null] = target.split("#");
      return { file: file === "" ? path : normalize(join(dirname(path), file)), anchor };
    });
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf({ text }: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutFences(text).matchAll(/^#+ (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** What stands in code: spans and blocks, each with the line that it begins on. */
export function codeOf({ text }: Page): { readonly code: string; readonly line: number }[] {
  return [...text.matchAll(/^ *```[^\n]*\n([\s\S]*?)^ *```|`([^`\n]+)`|^ {4}(\S.*)$/gm)].map(
    (match) => ({
      code: match[1] ?? match[2] ?? match[3] ?? "",
      line: text.slice(0, match.index).split("\n").length,
    }),
  );
}

function withoutFences(text: string): string {
  return text.replace(/^ *```[^\n]*\n[\s\S]*?^ *```/gm, "");
}
