/** Prints `docs/errors.md` from the table of error codes. */
import { ERRORS, type ErrorEntry } from "../../src/base/errors/index.ts";

const HEAD = `# Errors

Every error that Trobar reports or throws has one of these codes. They are stable: a code is never
renamed and never given another meaning, so programs can match on it. This page is printed from
the tables of \`src/base/errors\` by \`npm run docs\`.

*Try again* says whether the same attempt can succeed: \`never\`, \`later\` (after a wait), or
\`elsewhere\` (by another agent).
`;

export function errorsPage(): string {
  const groups = new Map<string, (readonly [string, ErrorEntry])[]>();
  for (const [code, entry] of Object.entries(ERRORS)) {
    const group = code.slice(0, code.indexOf("_"));
    groups.set(group, [...(groups.get(group) ?? []), [code, entry]]);
  }
  const sections = [...groups].sort(byName).map(([group, entries]) => section(group, entries));
  return [HEAD, ...sections].join("\n");
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function section(group: string, entries: readonly (readonly [string, ErrorEntry])[]): string {
  const rows = entries.map(
    ([code, { retry, meaning, remedy }]) => `| \`${code}\` | ${retry} | ${meaning} | ${remedy} |`,
  );
  return [
    `## ${group}\n`,
    "| code | try again | what happened | what to do |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
