/**
 * Flags of other crawlers and fetchers that correspond to ours: those of wget, curl, Scrapy, Katana
 * and HTTrack that people type by habit. They are not accepted, since some mean a little less or
 * more here, but the refusal says what to write instead.
 */

export interface ForeignFlag {
  /** What to write instead; null when there is nothing to write. */
  readonly instead: string | null;
  /** Whether a value follows it. */
  readonly hasValue: boolean;
  readonly problem?: string;
}

const RESUMING: ForeignFlag = {
  instead: null,
  hasValue: false,
  problem: "is unknown: continuing a crawl is not part of this version yet",
};

const FOLLOWING: ForeignFlag = {
  instead: null,
  hasValue: false,
  problem: "is unknown, and not needed: links and redirects are followed",
};

/** Ours, followed by the names that others have for it, without hyphens where they have two. */
const WITH_VALUE: readonly (readonly [instead: string, ...names: readonly string[]])[] = [
  ["-n", "max-pages", "limit-pages", "page-limit", "max-requests", "pages-limit"],
  ["-d", "level", "-l", "max-depth"],
  ["-o", "output", "-O", "-P", "output-dir", "directory-prefix", "path"],
  ["-i", "input-file", "list"],
  ["-c", "parallel", "threads", "sockets"],
  ["--delay", "rate", "wait", "-w", "rate-limit", "download-delay"],
  ["--user-agent", "-U", "-A", "agent"],
  ["--header", "-H", "headers"],
  ["--cookies", "-b", "cookie", "load-cookies"],
  ["--include", "include-regex", "accept-regex", "accept", "allow", "match-regex"],
  ["--exclude", "exclude-regex", "reject-regex", "reject", "-R", "deny", "filter-regex"],
  ["--max-bytes", "quota"],
  ["--set fetch.proxy=URL", "proxy", "-x"],
  ["--set fetch.retries=N", "tries", "-t", "retry", "retries"],
];

const ALONE: typeof WITH_VALUE = [
  ["--set fetch.insecure=true", "insecure", "-k", "no-check-certificate"],
  ["--scope prefix", "no-parent"],
  ["--scope any", "span-hosts"],
  ["--page-requisites", "-p"],
  ["--quiet", "silent", "-s"],
];

const FLAGS: ReadonlyMap<string, ForeignFlag> = new Map([
  ...named(WITH_VALUE, true),
  ...named(ALONE, false),
  ...["resume", "continue"].map((name) => [name, RESUMING] as const),
  ...["recursive", "-r", "location", "-L", "mirror"].map((name) => [name, FOLLOWING] as const),
]);

/** What others mean by a flag as it was typed; null if it is not known. */
export function foreignFlag(typed: string): ForeignFlag | null {
  return FLAGS.get(typed) ?? FLAGS.get(typed.replace(/^-+/, "")) ?? null;
}

function named(table: typeof WITH_VALUE, hasValue: boolean): [string, ForeignFlag][] {
  return table.flatMap(([instead, ...names]) =>
    names.map((name): [string, ForeignFlag] => [name, { instead, hasValue }]),
  );
}
