/**
 * Atoms from modules of users, with no change to this project: `./atoms.js#Name(argument)` names
 * the module in the filter, and atoms of the modules that the configuration lists can be used by
 * name alone. Loading a module runs its code, so an `ImportModule` that does it is passed in.
 */

import { nearestName, thrownReason } from "../../../base/text/index.ts";
import type { AtomNode } from "../language/expression.ts";
import type { FilterMistake } from "../language/filter-error.ts";
import { CONTAINS } from "../view.ts";
import type { BuiltInAtom } from "./atom.ts";
import { BUILT_IN_ATOMS } from "./atoms.ts";

/** Loads a module and gives its exports by name; rejects when that is not possible. */
export type ImportModule = (name: string) => Promise<Readonly<Record<string, unknown>>>;

/** On any view: whether a filter's place shows it is checked when the atom is found. */
type UserAtom = Pick<BuiltInAtom, "looksAt" | "create">;

/** An atom with the name to call it by in messages, or why it cannot be used. */
type Found = { readonly atom: UserAtom; readonly name: string } | { readonly problem: string };

export class UserAtoms {
  readonly mistakes: FilterMistake[] = [];
  readonly #exports = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #problems = new Map<string, string>();
  /** Atoms that may be used without their module, and the module of each. */
  readonly #byName = new Map<string, string>();

  add(module: string, exports: Readonly<Record<string, unknown>>): void {
    this.#exports.set(module, exports);
  }

  fail(module: string, reason: string): void {
    this.#problems.set(module, `the module ${module} could not be loaded: ${reason}`);
  }

  /** Lets the atoms of a loaded module be used by their names alone. */
  lend(module: string): void {
    const problem = this.#problems.get(module);
    if (problem !== undefined) this.mistakes.push({ at: undefined, problem });
    for (const [name, value] of Object.entries(this.#exports.get(module) ?? {})) {
      if (!isAtom(value)) continue;
      const other = this.#byName.get(name);
      const owner = BUILT_IN_ATOMS.has(name) ? "a built-in atom" : other && `an atom of ${other}`;
      if (owner === undefined) this.#byName.set(name, module);
      else {
        const problem = `the atom ${name} of ${module} has the same name as ${owner}`;
        this.mistakes.push({ at: undefined, problem });
      }
    }
  }

  names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Undefined if no module has an atom of this name. */
  find(node: AtomNode): Found | undefined {
    const module = node.module ?? this.#byName.get(node.name);
    if (module === undefined) return undefined;
    const problem = this.#problems.get(module);
    if (problem !== undefined) return { problem };
    const exports = this.#exports.get(module) ?? {};
    const name = `${module}#${node.name}`;
    const value = Object.hasOwn(exports, node.name) ? exports[node.name] : undefined;
    if (isAtom(value)) return { atom: value, name };
    return {
      problem: value === undefined ? notExported(exports, name, node.name) : misshapen(name),
    };
  }
}

export async function loadModules(
  named: readonly string[],
  options: { readonly importModule?: ImportModule; readonly use?: readonly string[] },
): Promise<UserAtoms> {
  const atoms = new UserAtoms();
  const lent = options.use ?? [];
  const importModule = options.importModule ?? noModules;
  for (const module of new Set([...lent, ...named])) {
    try {
      atoms.add(module, await importModule(module));
    } catch (error) {
      atoms.fail(module, thrownReason(error));
    }
  }
  for (const module of lent) atoms.lend(module);
  return atoms;
}

function noModules(): Promise<never> {
  return Promise.reject(new Error("modules cannot be used here"));
}

function isAtom(value: unknown): value is UserAtom {
  if (typeof value !== "object" || value === null) return false;
  const { looksAt, create } = value as { looksAt?: unknown; create?: unknown };
  return typeof looksAt === "string" && looksAt in CONTAINS && typeof create === "function";
}

function notExported(exports: object, name: string, written: string): string {
  const nearest = nearestName(written, Object.keys(exports));
  const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
  return `${name}: the module exports no ${written}${hint}`;
}

function misshapen(name: string): string {
  const sights = Object.keys(CONTAINS).join(", ");
  return (
    `${name} is not an atom: export an object with looksAt (one of ${sights}) ` +
    "and create(args), which returns a function from what it looks at to true or false"
  );
}
