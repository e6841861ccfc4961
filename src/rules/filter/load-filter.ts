/**
 * From the text of a filter to something that decides. Everything that can be wrong is found here
 * and reported at once: the syntax, unknown atoms, their arguments, atoms that look at more than
 * the place of the filter can see, modules that do not load. After that only users' atoms can fail;
 * when one does, the filter refuses what it was shown and reports it.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { nearestName, thrownReason } from "../../base/text/index.ts";
import { ArgumentMistake, type BuiltInAtom } from "./atoms/atom.ts";
import { BUILT_IN_ATOMS, takesWhole } from "./atoms/atoms.ts";
import { type ImportModule, loadModules, type UserAtoms } from "./atoms/user-atoms.ts";
import { ACCEPT_ALL, compileTree } from "./language/compile.ts";
import { type AtomNode, atomsOf, type FilterNode } from "./language/expression.ts";
import { FilterError, type FilterMistake, MISTAKES_MAX } from "./language/filter-error.ts";
import { type Parsed, parseTolerantly } from "./language/parser.ts";
import { printFilter } from "./language/printer.ts";
import { type FilterPlace, type Predicate, type Sight, type ViewOf, whyUnseen } from "./view.ts";

export interface Filter<View> {
  /** The filter in its normal form: loading this text gives the same filter again. */
  readonly text: string;
  /** Never throws. Reads of the view only what its atoms need, up to the first that decides. */
  readonly accepts: (view: View) => boolean;
}

export interface LoadOptions {
  /** Gives the exports of a module by the name that the filter or the configuration uses for it. */
  readonly importModule?: ImportModule;
  /** Modules whose atoms may be used by their names alone. */
  readonly use?: readonly string[];
  /** Told of each failure of a user's atom; what was shown to the filter has been refused. */
  readonly onFailure?: (error: CrawlError) => void;
}

/** Throws a `FilterError` with every mistake. */
export async function loadFilter<Seen extends Sight>(
  text: string,
  place: FilterPlace<Seen>,
  options: LoadOptions = {},
): Promise<Filter<ViewOf[Seen]>> {
  const parsed = parseTolerantly(text, takesWhole);
  const user = await loadModules(modulesOf(parsed.root), options);
  const resolver = new Resolver(parsed, place, user);
  const predicate = compileTree(parsed.root, (atom) => resolver.predicateOf(atom));
  const mistakes = [...user.mistakes, ...resolver.mistakes].sort(byPlace);
  if (mistakes.length > 0) throw new FilterError(place.name, text, mistakes);
  const accepts = resolver.hasUserAtoms
    ? guarded(predicate, options.onFailure ?? (() => undefined))
    : predicate;
  // Every atom was found to look only at what this place shows, so a view of that is enough.
  return { text: printFilter(parsed.root), accepts: accepts as Predicate<ViewOf[Seen]> };
}

/**
 * Every mistake that can be found without loading a user's module; none for a good filter. Where
 * modules lend their atoms, a name that is not built in may be one of theirs.
 */
export function checkFilter(
  text: string,
  place: FilterPlace,
  lent: readonly string[] = [],
): readonly FilterMistake[] {
  const parsed = parseTolerantly(text, takesWhole);
  const resolver = new Resolver(parsed, place, lent.length > 0 ? "any-name" : "named-modules");
  compileTree(parsed.root, (atom) => resolver.predicateOf(atom));
  return resolver.mistakes.sort(byPlace);
}

function byPlace(one: FilterMistake, other: FilterMistake): number {
  return (one.at ?? -1) - (other.at ?? -1);
}

/** The tree of a filter, whose atoms are not looked up. Throws a `FilterError`. */
export function parseFilter(text: string): FilterNode {
  const { root, mistakes } = parseTolerantly(text, takesWhole);
  if (mistakes.length > 0) throw new FilterError("the filter", text, mistakes);
  return root;
}

function modulesOf(root: FilterNode): readonly string[] {
  const modules = new Set(atomsOf(root).map((atom) => atom.module));
  return [...modules].filter((module) => module !== undefined);
}

type Trust = "any-name" | "named-modules";

/** Finds the predicates of atoms, and what is wrong with them. */
class Resolver {
  readonly mistakes: FilterMistake[];
  hasUserAtoms = false;
  readonly #place: FilterPlace;
  readonly #brokenAtoms: ReadonlySet<FilterNode>;
  /** If modules were not loaded, which of their atoms are accepted unchecked. */
  readonly #user: UserAtoms | Trust;

  constructor(parsed: Parsed, place: FilterPlace, user: UserAtoms | Trust) {
    this.mistakes = [...parsed.mistakes];
    this.#brokenAtoms = parsed.brokenAtoms;
    this.#place = place;
    this.#user = user;
  }

  predicateOf(node: AtomNode): Predicate {
    const builtIn = node.module === undefined ? BUILT_IN_ATOMS.get(node.name) : undefined;
    if (builtIn !== undefined) {
      this.#checkSight(node, builtIn.looksAt);
      return this.#hasRightCount(node, builtIn) ? this.#create(node, builtIn) : ACCEPT_ALL;
    }
    if (this.#user === "any-name") return ACCEPT_ALL;
    if (this.#user === "named-modules") {
      return node.module === undefined ? this.#unknown(node) : ACCEPT_ALL;
    }
    const found = this.#user.find(node);
    if (found === undefined) return this.#unknown(node);
    if ("problem" in found) return this.#mistake(node.at, found.problem);
    this.hasUserAtoms = true;
    this.#checkSight(node, found.atom.looksAt);
    if (this.#brokenAtoms.has(node)) return ACCEPT_ALL;
    const predicate: unknown = this.#create(node, found.atom);
    if (typeof predicate === "function") return strict(found.name, predicate as Predicate);
    const what = `create(args) returned ${predicate === null ? "null" : typeof predicate}`;
    return this.#mistake(node.at, `${found.name}: ${what} instead of a function`);
  }

  #checkSight(node: AtomNode, looksAt: Sight): void {
    const problem = whyUnseen(node.name, looksAt, this.#place);
    if (problem !== undefined) this.#mistake(node.at, problem);
  }

  #hasRightCount(node: AtomNode, atom: BuiltInAtom): boolean {
    if (this.#brokenAtoms.has(node)) return false;
    const { argumentsMin: min, argumentsMax: max } = atom;
    const count = node.args.length;
    if (count >= min && count <= max) return true;
    const wanted = min === max ? `${min}` : max === 2 ? `${min} or ${max}` : `at least ${min}`;
    const noun = wanted.endsWith("1") ? "argument" : "arguments";
    const hint = min === max && count > max && max > 0 ? "; quote one that holds a comma" : "";
    this.#mistake(node.at, `${node.name} takes ${wanted} ${noun}, not ${count}${hint}`);
    return false;
  }

  #create(node: AtomNode, atom: Pick<BuiltInAtom, "create">): Predicate {
    try {
      return atom.create(node.args.map((arg) => arg.text));
    } catch (error) {
      const index = error instanceof ArgumentMistake ? error.index : 0;
      const at = node.args[index]?.at ?? node.at;
      return this.#mistake(at, `${node.name}: ${error instanceof Error ? error.message : error}`);
    }
  }

  #unknown(node: AtomNode): Predicate {
    if (this.mistakes.length >= MISTAKES_MAX) return ACCEPT_ALL;
    const lent = typeof this.#user === "string" ? [] : this.#user.names();
    const known = [...BUILT_IN_ATOMS.keys(), ...lent];
    const nearest = nearestName(node.name, known);
    const isJavaClass = node.name.includes(".");
    const hint = isJavaClass
      ? "; an atom of your own is named by its module, as in ./atoms.js#Name()"
      : nearest === null
        ? "; docs/filters.md lists all atoms"
        : `; did you mean ${nearest}?`;
    return this.#mistake(node.at, `there is no atom ${node.name.slice(0, 60)}${hint}`);
  }

  #mistake(at: number, problem: string): Predicate {
    if (this.mistakes.length < MISTAKES_MAX) this.mistakes.push({ at, problem });
    return ACCEPT_ALL;
  }
}

/** Holds a user's predicate to its contract: true or false, and no way to crash the crawl. */
function strict(name: string, predicate: Predicate): Predicate {
  return (view) => {
    let answer: unknown;
    try {
      answer = predicate(view);
    } catch (error) {
      throw failure(name, view.href, `threw: ${thrownReason(error)}`, error);
    }
    if (typeof answer === "boolean") return answer;
    const kind = answer instanceof Promise ? "a promise" : typeof answer;
    throw failure(name, view.href, `answered with ${kind} instead of true or false`);
  };
}

function failure(name: string, url: string, what: string, cause?: unknown): CrawlError {
  const message = `Refused ${url}: the atom ${name} ${what}. Correct the atom in its module.`;
  return new CrawlError("FILTER_ATOM_FAILED", message, { atom: name, url }, cause);
}

/** A failure refuses the whole filter: under a `not` a refused atom alone would accept. */
function guarded(predicate: Predicate, onFailure: (error: CrawlError) => void): Predicate {
  return (view) => {
    try {
      return predicate(view);
    } catch (error) {
      if (!(error instanceof CrawlError) || error.code !== "FILTER_ATOM_FAILED") throw error;
      onFailure(error);
      return false;
    }
  };
}
