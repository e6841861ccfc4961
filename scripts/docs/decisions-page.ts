/** Prints `docs/adr/README.md`, the index of decisions, from their headings. */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const HEAD = `# Decisions

One page each: context, decision, consequences, what would change our mind. A decision that a
measurement proved wrong is not edited away: a new one replaces it and says so. A new page takes the
next number; this index is printed from the headings by \`npm run docs\`.

| | decision |
|---|---|
`;

export function decisionsPage(): string {
  const rows = globSync("docs/adr/[0-9]*.md")
    .sort()
    .map((path) => {
      const [, number, title] = /^# (\d+) · (.+)$/m.exec(readFileSync(path, "utf8")) ?? [];
      return `| [${number}](${basename(path)}) | ${title} |\n`;
    });
  return HEAD + rows.join("");
}
