/**
 * Domain constraints: the traversal constraints of Crawler.NET (Hunyadi, 2007, section 5.3.2) on
 * host names in reversed notation, the most general part first.
 *
 *     hu.bme      the host bme.hu itself
 *     hu.bme.+    every host below bme.hu, not itself
 *     hu.bme.*    both
 *     -hu.bme.*   negative: none of these
 *
 * A host is admitted when no negative constraint matches it and, if there is any affirmative one,
 * at least one of these does: negative constraints are checked first.
 */
import { ArgumentMistake } from "./atom.ts";

/** Which hosts a constraint means, as bits: the domain itself, and those below it. */
const ITSELF = 1;
const BELOW = 2;

/** Constraints of one sign, by their domain in the usual notation: `bme.hu` -> ITSELF | BELOW. */
type Constraints = Map<string, number>;

/** `items` are in ASCII and lower case. */
export function domainConstraint(items: readonly string[]): (host: string) => boolean {
  const affirmative: Constraints = new Map();
  const negative: Constraints = new Map();
  for (const [index, item] of items.entries()) {
    if (item.startsWith("-")) add(negative, item.slice(1), index);
    else add(affirmative, item, index);
  }
  return (host) => {
    if (negative.size > 0 && isMatched(negative, host)) return false;
    return affirmative.size === 0 || isMatched(affirmative, host);
  };
}

function add(constraints: Constraints, text: string, index: number): void {
  const parts = text.split(".");
  const last = parts.at(-1);
  const isOpen = last === "*" || last === "+";
  const labels = isOpen ? parts.slice(0, -1) : parts;
  if (labels.some((label) => !/^[a-z0-9_-]+$/.test(label)) || text === "+") {
    throw new ArgumentMistake(
      `"${text}" is not a domain constraint: write the host from its end, as in hu.bme, ` +
        "hu.bme.+ (below it), hu.bme.* (it and below), with a - in front to forbid",
      index,
    );
  }
  const domain = labels.toReversed().join(".");
  const bits = last === "*" ? ITSELF | BELOW : last === "+" ? BELOW : ITSELF;
  constraints.set(domain, (constraints.get(domain) ?? 0) | bits);
}

/** Looks the host up, then each domain above it, then the root: independent of their number. */
function isMatched(constraints: Constraints, host: string): boolean {
  if (((constraints.get(host) ?? 0) & ITSELF) !== 0) return true;
  for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
    if (((constraints.get(host.slice(dot + 1)) ?? 0) & BELOW) !== 0) return true;
  }
  return constraints.has("");
}
