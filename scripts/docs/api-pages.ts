/** Prints `docs/api/`: a page for each door of the package, from the comments of the sources. */
import { readFileSync } from "node:fs";
import { type Declaration, type Door, doorsOf } from "./declarations.ts";

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
}

/** The pages by their paths. */
export function apiPages(): ReadonlyMap<string, string> {
  const { exports }: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const doors = Object.entries(exports).map(([door, { default: built }]) => ({
    name: door.replace(/^\./, "trobar"),
    page: `${door.replace(/^\.\/?/, "") || "trobar"}.md`,
    source: built.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts"),
  }));
  const found = doorsOf(doors.map(({ source }) => source));
  const rows = doors.map(({ name, page }, at) => {
    const count = found[at]?.declarations.length ?? 0;
    return `| [\`${name}\`](${page}) | ${count} |\n`;
  });
  return new Map([
    ["docs/api/README.md", HEAD + rows.join("")],
    ...doors.map(({ name, page }, at): [string, string] => [
      `docs/api/${page}`,
      doorPage(name, found[at]),
    ]),
  ]);
}

const HEAD = `# Reference of the package

Every name that the package exports, with its types. These pages are printed from the comments of the
sources by \`npm run docs\`. Begin with [library.md](../library.md), [formats.md](../formats.md) or
[units.md](../units.md), which explain by example.

| import from | names |
|---|--:|
`;

function doorPage(name: string, door: Door | undefined): string {
  const { head = "", declarations = [] } = door ?? {};
  return [`# ${name}\n`, `${head}\n`, ...declarations.map(section)].join("\n");
}

function section({ name, comment, text }: Declaration): string {
  const prose = comment === "" ? "" : `${comment}\n\n`;
  return `## ${name}\n\n${prose}\`\`\`ts\n${text}\n\`\`\`\n`;
}
