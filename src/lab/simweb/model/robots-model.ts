/** What the robots.txt of each kind means to a reader that follows RFC 9309. */
import type { RobotsKind } from "./host-model.ts";
import type { Role } from "./role.ts";

/** The kinds that close `/private/` and open `/private/open/` again. */
const WITH_RULES: ReadonlySet<RobotsKind> = new Set([
  "rules",
  "wildcards",
  "named",
  "delay",
  "longDelay",
  "passing",
  "redirected",
  "huge",
  "odd",
]);

const LONG_DELAY_SECONDS = 600;

/** Whether the file, once fetched, closes URLs of this role. */
export function closesRole(kind: RobotsKind, role: Role): boolean {
  if (kind === "closed") return true;
  if (role === "private") return WITH_RULES.has(kind);
  return role === "generated" && kind === "wildcards";
}

/** Whether there is a text with rules, in which a sitemap can be named. */
export function hasRobotsText(kind: RobotsKind): boolean {
  return WITH_RULES.has(kind) || kind === "open" || kind === "closed";
}

/** What the file asks for, in seconds; 0: nothing. */
export function crawlDelaySeconds(kind: RobotsKind, content: number): number {
  if (kind === "longDelay") return LONG_DELAY_SECONDS;
  return kind === "delay" ? ([1, 2, 0.5][content % 3] ?? 1) : 0;
}
