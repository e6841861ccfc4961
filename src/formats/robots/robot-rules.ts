/**
 * The rules of one origin for one product token, in a few hundred bytes, and the decision on a
 * path.
 *
 * RFC 9309 and the parser that most sites are written for disagree on percent-encoding: the RFC
 * decodes `%62` on both sides, Google's parser compares rules as written. A path is fetched only if
 * the comparison of the RFC allows it *and* the rules as written do, for the path as given or
 * decoded. So no spelling of a path evades a Disallow, and an Allow helps only where every reader
 * of the file would grant it. Nearly all paths and files have only one form, and one walk decides.
 */
import { type PatternRule, packRules } from "./packed-rules.ts";
import {
  comparablePath,
  comparableRule,
  decodedPath,
  escapedRule,
  pathOctets,
} from "./path-form.ts";
import { found, foundRule, walk } from "./rule-walk.ts";
import { tryPath } from "./tried-path.ts";

/** A rule as read from the file; octet strings. */
export interface WrittenRule {
  readonly allow: boolean;
  readonly value: string;
  readonly line: number;
  /** The part of the line before the value. */
  readonly head: string;
  /** The line without its comment. */
  readonly text: string;
}

export interface RobotsDecision {
  readonly allowed: boolean;
  /** The line that decided, as written and without its comment; null when none matched. */
  readonly rule: { readonly text: string; readonly line: number } | null;
  readonly reason: RobotsReason;
}

/**
 * `rule`: the rule decided. `no-rule`: none matched. `robots-file`: /robots.txt itself may always
 * be fetched. `unreachable`: robots.txt could not be fetched yet. `too-costly`: matching was
 * stopped, see `WALK_STEPS_MAX`.
 */
export type RobotsReason = "rule" | "no-rule" | "robots-file" | "unreachable" | "too-costly";

/** Rules as text, to be kept and read back by the same version. */
export interface SavedRules {
  readonly written: string;
  /** Null if it is the same. */
  readonly comparable: string | null;
  readonly reachable: boolean;
}

export class RobotRules {
  /** For a site without robots.txt. */
  static readonly ALLOW_ALL: RobotRules = new RobotRules("", "", true);
  /** For a site whose robots.txt cannot be fetched: everything is refused until it can. */
  static readonly UNREACHABLE: RobotRules = new RobotRules("", "", false);

  readonly #written: string;
  /** The same string if no rule has a second form. */
  readonly #comparable: string;
  readonly #reachable: boolean;

  private constructor(written: string, comparable: string, reachable: boolean) {
    this.#written = written;
    this.#comparable = comparable;
    this.#reachable = reachable;
  }

  static of(rules: readonly WrittenRule[]): RobotRules {
    const all = [...rules, ...rules.flatMap(directoryOfIndexPage)].filter((rule) => rule.value);
    if (all.length === 0) return RobotRules.ALLOW_ALL;
    const asWritten = all.map((rule) => patternOf(rule, escapedRule));
    const byStandard = all.map((rule) => patternOf(rule, comparableRule));
    const oneForm = asWritten.every(({ pattern }, index) => pattern === byStandard[index]?.pattern);
    const written = packRules(asWritten);
    const comparable = oneForm ? written : packRules(byStandard);
    return new RobotRules(written, comparable, true);
  }

  /** Whether a path with its query, as it will be sent, may be fetched. It begins with `/`. */
  allows(path: string): boolean {
    if (path === ROBOTS_PATH) return true;
    if (!this.#reachable) return false;
    const oneForm = tryPath(path);
    if (oneForm && this.#written === this.#comparable) return walk(this.#written);
    return this.#reading(path).allowed;
  }

  /** As `allows`, with the reason; made for people, and slower. */
  decide(path: string): RobotsDecision {
    if (path === ROBOTS_PATH) return { allowed: true, rule: null, reason: "robots-file" };
    if (!this.#reachable) return { allowed: false, rule: null, reason: "unreachable" };
    const { packed, form } = this.#reading(path);
    return explained(packed, form);
  }

  save(): SavedRules {
    const written = this.#written;
    const comparable = this.#comparable === written ? null : this.#comparable;
    return { written, comparable, reachable: this.#reachable };
  }

  static restore({ written, comparable, reachable }: SavedRules): RobotRules {
    if (written === "" && reachable) return RobotRules.ALLOW_ALL;
    return new RobotRules(written, comparable ?? written, reachable);
  }

  /** Bytes of memory that the rules take, apart from this object. */
  get packedBytes(): number {
    const shared = this.#written === this.#comparable;
    return this.#written.length + (shared ? 0 : this.#comparable.length);
  }

  /** The comparison that decides. */
  #reading(path: string): Reading {
    const written = this.#written;
    const comparable = this.#comparable;
    const given = pathOctets(path);
    const standard = comparablePath(given);
    const byStandard = allowsForm(comparable, standard);
    if (!byStandard || (standard === given && written === comparable)) {
      return { packed: comparable, form: standard, allowed: byStandard };
    }
    if (allowsForm(written, given)) return { packed: written, form: given, allowed: true };
    const decoded = decodedPath(given);
    const allowed = decoded !== given && allowsForm(written, decoded);
    return { packed: written, form: allowed ? decoded : given, allowed };
  }
}

const ROBOTS_PATH = "/robots.txt";

interface Reading {
  readonly packed: string;
  /** The form of the path. */
  readonly form: string;
  readonly allowed: boolean;
}

function allowsForm(packed: string, form: string): boolean {
  tryPath(form);
  return walk(packed);
}

function explained(packed: string, form: string): RobotsDecision {
  const allowed = allowsForm(packed, form);
  if (found.exhausted) return { allowed: false, rule: null, reason: "too-costly" };
  if (found.at === -1) return { allowed, rule: null, reason: "no-rule" };
  const { text, line } = foundRule(packed, form);
  const readable = Buffer.from(text, "latin1").toString("utf8");
  return { allowed, rule: { text: readable, line }, reason: "rule" };
}

function patternOf(rule: WrittenRule, form: (value: string) => string): PatternRule {
  const { allow, line, head, text, value } = rule;
  return { allow, line, head, text, pattern: form(value) };
}

/**
 * `Allow: /shop/index.html` also allows `/shop/`, as in Google's parser: an author who allows the
 * index page of a folder means the page that the folder shows.
 */
function directoryOfIndexPage(rule: WrittenRule): WrittenRule[] {
  const slash = rule.value.lastIndexOf("/");
  if (!rule.allow || slash === -1 || !rule.value.startsWith("/index.htm", slash)) return [];
  return [{ ...rule, value: `${rule.value.slice(0, slash + 1)}$` }];
}
