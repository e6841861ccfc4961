/** The settings of one unit while it runs: its schema, and the values in force. */
import { Schema, type SchemaTree } from "../../rules/settings/index.ts";

export class UnitSettings {
  readonly schema: Schema<object>;
  #values: ReadonlyMap<string, unknown>;
  #current: object;

  constructor(tree: SchemaTree<object>, values: ReadonlyMap<string, unknown>) {
    this.schema = new Schema(tree);
    this.#values = values;
    this.#current = this.schema.build(values);
  }

  get current(): object {
    return this.#current;
  }

  /** Puts values in force and says whether a unit that runs takes them; if not, it must be made anew. */
  change(changes: ReadonlyMap<string, unknown>): boolean {
    this.#values = new Map([...this.#values, ...changes]);
    this.#current = this.schema.build(this.#values);
    return [...changes.keys()].every((path) => this.schema.find(path)?.key.live === true);
  }
}
