/**
 * Functions and objects of a program where the configuration names modules: parsers, scores, modules of
 * atoms, stores. Each gets a name that the configuration can hold, and an importer gives it out as the module of
 * that name, so that everything else is the same for both.
 */
import { type ImportModule, importFrom } from "../rules/filter/index.ts";

type Exports = Readonly<Record<string, unknown>>;
type Tree = Readonly<Record<string, unknown>>;

export class OptionModules {
  readonly #modules = new Map<string, Exports>();
  readonly #others = importFrom(".");

  /** Modules of the options by their names here, others as usual. */
  readonly importModule: ImportModule = async (name) =>
    this.#modules.get(name) ?? (await this.#others(name));

  /** The tree with names in place of what stands for modules. */
  named(tree: Tree): Tree {
    return {
      ...tree,
      ...this.#within(tree, "parse", (parse) => ({
        parsers: this.#list(parse["parsers"], "parser", (parser) => ({
          createParser: () => parser,
        })),
      })),
      ...this.#within(tree, "filters", (filters) => ({
        modules: this.#list(filters["modules"], "atoms", (atoms) => atoms as Exports),
      })),
      ...this.#within(tree, "store", (store) => ({
        // A function would be no store.
        kind:
          typeof store["kind"] === "function"
            ? store["kind"]
            : this.#name(store["kind"], "store", (own) => ({ createStore: () => own })),
      })),
      ...this.#within(tree, "frontier", (frontier) => ({
        score: this.#name(frontier["score"], "score", (score) => ({
          createScore: () => (typeof score === "function" ? { priorityOf: score } : score),
        })),
      })),
    };
  }

  #within(tree: Tree, group: string, change: (group: Tree) => Tree): Tree {
    const value = tree[group];
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return { [group]: { ...value, ...change(value as Tree) } };
  }

  #list(list: unknown, kind: string, exportsOf: (value: unknown) => Exports): unknown {
    if (!Array.isArray(list)) return list;
    return list.map((item: unknown) => this.#name(item, kind, exportsOf));
  }

  #name(value: unknown, kind: string, exportsOf: (value: unknown) => Exports): unknown {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isObject && typeof value !== "function") return value;
    const name = `options/${kind}-${this.#modules.size + 1}`;
    this.#modules.set(name, exportsOf(value));
    return name;
  }
}
