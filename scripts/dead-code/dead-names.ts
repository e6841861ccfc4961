/** Compares what knip calls unused with the names that are allowed to be. */

/** The part of knip's JSON that matters: by file, what kind of thing is unused. */
export interface KnipReport {
  readonly issues: readonly ({ readonly file: string } & {
    readonly [kind: string]: readonly { readonly name: string }[] | string;
  })[];
}

/**
 * One sentence per problem: an unused name that is not on the list, or an entry that is not needed.
 */
export function deadNames(
  report: KnipReport,
  waiting: Readonly<Record<string, readonly string[]>>,
): string[] {
  const found = report.issues.flatMap(namesOf);
  const allowed = Object.values(waiting).flat();
  const covers = (entry: string, name: string): boolean =>
    entry.endsWith("/") ? name.startsWith(entry) : name === entry;
  return [
    ...found
      .filter((name) => !allowed.some((entry) => covers(entry, name)))
      .map((name) => `${name}: used by no part of the program`),
    ...allowed
      .filter((entry) => !found.some((name) => covers(entry, name)))
      .map((entry) => `${entry}: waits no longer; take it off scripts/waiting.ts`),
  ];
}

function namesOf({ file, ...kinds }: KnipReport["issues"][number]): string[] {
  return Object.entries(kinds).flatMap(([kind, names]) =>
    typeof names === "string"
      ? []
      : names.map(({ name }) => (kind === "files" ? file : `${file} ${name}`)),
  );
}
