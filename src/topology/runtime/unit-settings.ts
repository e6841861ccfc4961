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

  /** Every key with its value in force. */
  get values(): ReadonlyMap<string, unknown> {
    return this.schema.values(this.#current);
  }

  /** Whether a unit that runs takes these keys; if not, it must be made anew. */
  isLive(keys: Iterable<string>): boolean {
    return [...keys].every((path) => this.schema.find(path)?.key.live === true);
  }

  /** Puts values in force, and gives a way back. */
  change(changes: ReadonlyMap<string, unknown>): () => void {
    const [values, current] = [this.#values, this.#current];
    this.#values = new Map([...values, ...changes]);
    this.#current = this.schema.build(this.#values);
    return () => {
      this.#values = values;
      this.#current = current;
    };
  }
}
