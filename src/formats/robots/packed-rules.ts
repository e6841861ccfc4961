/**
 * Rules packed into one string. A crawl keeps the rules of millions of hosts, so they are stored
 * as a radix tree over the beginnings of the patterns, written out as octets: common beginnings
 * are stored once, and a Latin-1 string costs one byte per octet and 16 for its header, where a
 * typed array costs about 200.
 *
 * ```
 * packed    := treeSize node spellings
 * spellings := { length text }                    how the lines begin: "Disallow: "
 * node      := length label ruleCount { rule } childCount { octet size node } octet node
 * rule      := flags line spelling [ tailLength tail ]
 * ```
 * Numbers are variable-length, 7 bits per octet, the lowest first. A child begins with the first
 * octet of its label; `size` lets a walk skip it, and the last child needs none. The *tail* of
 * a pattern begins at its first `*`, or is the final `$`. A rule's text is its spelling followed by
 * its pattern, which the walk has just seen in the path; a rule that was written differently has a
 * spelling of its own: the whole text.
 *
 * The rules of a node are ordered from long to short, and one pattern occurs once: an Allow
 * outweighs the same Disallow (RFC 9309 §2.2.2).
 */
import { PackedWriter } from "./packed-writer.ts";

/** All strings here are octet strings. */
export interface PatternRule {
  readonly allow: boolean;
  /** In one of the forms of path-form.ts; not empty. */
  readonly pattern: string;
  readonly line: number;
  /** The part of the line before the value. */
  readonly head: string;
  /** The whole line as written, without comment. */
  readonly text: string;
}

export const FLAG_ALLOW = 1;
export const FLAG_TAIL = 2;
/** The spelling is the whole text. */
export const FLAG_WHOLE = 4;

interface SplitRule extends PatternRule {
  /** The pattern up to its first wildcard: its position in the tree. */
  readonly beginning: string;
  readonly tail: string;
  /** The spelling is the whole text. */
  readonly isWhole: boolean;
  readonly spelling: string;
}

/** The packed form of the rules; "" for none. */
export function packRules(rules: readonly PatternRule[]): string {
  if (rules.length === 0) return "";
  const sorted = [...onePerPattern(rules).values()].map(split).sort(byBeginning);
  const spellings = new Map<string, number>();
  for (const { spelling } of sorted) {
    if (!spellings.has(spelling)) spellings.set(spelling, spellings.size);
  }
  const writer = new PackedWriter();
  for (const spelling of [...spellings.keys()].reverse()) writer.sized(spelling);
  const spellingsSize = writer.length;
  writeNode(writer, { sorted, from: 0, to: sorted.length, depth: 0 }, spellings);
  writer.number(writer.length - spellingsSize);
  return writer.text();
}

function onePerPattern(rules: readonly PatternRule[]): Map<string, PatternRule> {
  const kept = new Map<string, PatternRule>();
  for (const rule of rules) {
    const other = kept.get(rule.pattern);
    if (other === undefined || (rule.allow && !other.allow)) kept.set(rule.pattern, rule);
  }
  return kept;
}

function split(rule: PatternRule): SplitRule {
  const { pattern } = rule;
  const star = pattern.indexOf("*");
  const end = star !== -1 ? star : pattern.length - (pattern.endsWith("$") ? 1 : 0);
  const { allow, line, head, text } = rule;
  const isWhole =
    text.length !== head.length + pattern.length ||
    !text.startsWith(head) ||
    !text.endsWith(pattern);
  const spelling = isWhole ? text : head;
  const parts = { beginning: pattern.slice(0, end), tail: pattern.slice(end) };
  return { allow, pattern, line, head, text, ...parts, isWhole, spelling };
}

/** By beginning; where that is the same, from long to short. */
function byBeginning(a: SplitRule, b: SplitRule): number {
  if (a.beginning !== b.beginning) return a.beginning < b.beginning ? -1 : 1;
  return b.tail.length - a.tail.length;
}

/** Rules `from` to `to` of the sorted list, which all begin with the same `depth` octets. */
interface Range {
  readonly sorted: readonly SplitRule[];
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/** Writes back to front, so that the size of a child is known when it is needed. */
function writeNode(writer: PackedWriter, range: Range, spellings: Map<string, number>): void {
  const { sorted, from, to, depth } = range;
  const first = (sorted[from] as SplitRule).beginning;
  const common = commonLength(first, (sorted[to - 1] as SplitRule).beginning, depth);
  let ownTo = from;
  while (ownTo < to && sorted[ownTo]?.beginning.length === common) ownTo += 1;
  const groups = childGroups({ sorted, from: ownTo, to, depth: common });
  for (const [index, group] of groups.entries()) {
    const end = writer.length;
    writeNode(writer, { sorted, ...group, depth: common + 1 }, spellings);
    if (index > 0) writer.number(writer.length - end);
    writer.octet(sorted[group.from]?.beginning.charCodeAt(common) ?? 0);
  }
  writer.number(groups.length);
  for (let index = ownTo - 1; index >= from; index -= 1) {
    writeRule(writer, sorted[index] as SplitRule, spellings);
  }
  writer.number(ownTo - from);
  writer.sized(first.slice(depth, common));
}

function writeRule(writer: PackedWriter, rule: SplitRule, spellings: Map<string, number>): void {
  if (rule.tail !== "") writer.sized(rule.tail);
  writer.number(spellings.get(rule.spelling) ?? 0);
  writer.number(rule.line);
  writer.octet(
    (rule.allow ? FLAG_ALLOW : 0) |
      (rule.tail === "" ? 0 : FLAG_TAIL) |
      (rule.isWhole ? FLAG_WHOLE : 0),
  );
}

/** The ranges of rules with equal octet at `depth`, the last one first. */
function childGroups(range: Range): { from: number; to: number }[] {
  const groups: { from: number; to: number }[] = [];
  const octetAt = (index: number) => range.sorted[index]?.beginning.charCodeAt(range.depth);
  let { to } = range;
  while (to > range.from) {
    let from = to - 1;
    while (from > range.from && octetAt(from - 1) === octetAt(to - 1)) from -= 1;
    groups.push({ from, to });
    to = from;
  }
  return groups;
}

function commonLength(a: string, b: string, from: number): number {
  let length = from;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
