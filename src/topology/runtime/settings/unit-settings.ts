/** The settings of one unit while it runs: its schema, and the values in force. */
import { Schema, type SchemaTree } from "../../../rules/settings/index.ts";
import { readValues } from "./read-values.ts";

/** What a unit declares of its settings. */
export interface SettingsDefinition {
  readonly settings: SchemaTree<object>;
  readonly fixed?: Readonly<Record<string, string>>;
}

export class UnitSettings {
  readonly schema: Schema<object>;
  /** See `ProviderDefinition`. */
  readonly fixed: Readonly<Record<string, string>>;
  #values: ReadonlyMap<string, unknown>;
  #current: object;

  constructor(
    { settings, fixed = {} }: SettingsDefinition,
    values: ReadonlyMap<string, unknown> = new Map(),
  ) {
    this.schema = new Schema(settings);
    this.fixed = fixed;
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

  /**
   * Puts values in force, and gives a way back. Throws `CONFIG_INVALID` with every unknown key and every
   * value that the schema does not allow, and nothing changes; `id` is the unit's.
   */
  change(changes: ReadonlyMap<string, unknown>, id: string): () => void {
    const [values, current] = [this.#values, this.#current];
    this.#values = new Map([...values, ...this.#checked(changes, id)]);
    this.#current = this.schema.build(this.#values);
    return () => {
      this.#values = values;
      this.#current = current;
    };
  }

  /** A value is legal if it can be read back from how the schema writes it. */
  #checked(changes: ReadonlyMap<string, unknown>, id: string): ReadonlyMap<string, unknown> {
    const texts = [...changes].map(([path, value]) => [path, this.#written(path, value)]);
    return readValues(Object.fromEntries(texts), this, id);
  }

  #written(path: string, value: unknown): string {
    try {
      return this.schema.find(path)?.key.type.write(value) ?? "";
    } catch {
      return value === undefined ? "" : JSON.stringify(String(value));
    }
  }
}
