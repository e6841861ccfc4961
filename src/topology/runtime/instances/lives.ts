/**
 * Items whose type has a life, while a unit has them in hand. Such an item must be passed on or ended,
 * or what it holds is never given back. Authors need not know: what their unit neither emitted nor kept
 * when its call was over is told that it is lost, and cannot be emitted any more.
 *
 * Filters, joins and merges keep nothing between calls, so the end of a call decides. A unit without an
 * output of their type, which cannot pass them on, and a general component end items themselves if they
 * declare their life; those that know the type only by its name do not. What a general component holds
 * on to, it announces by `hold`.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { ComponentDefinition } from "../../unit/index.ts";
import type { InputPort } from "../ports/input-port.ts";

/** A `role` is that of an input; with null, the items of all inputs of a join are meant. */
export class Lives {
  readonly #definition: ComponentDefinition;
  readonly #ports: readonly InputPort[];
  /** The roles of the inputs whose items have an output to go to. */
  readonly #passable: ReadonlySet<string>;
  /** The inputs whose items the unit need not end. */
  #watched: ReadonlySet<InputPort> = new Set();
  /** How often each is in hand: a join may be given one item at two inputs, by a tee. */
  readonly #inHand = new Map<unknown, number>();
  readonly #lost = new WeakSet<object>();
  /** If not, only `lose` is to be called. */
  hasWatched = false;

  constructor(definition: ComponentDefinition, ports: readonly InputPort[]) {
    this.#definition = definition;
    this.#ports = ports;
    this.#passable = passableOf(definition);
    this.reconnected();
  }

  /** The inputs may carry other types now. Nothing is in hand. */
  reconnected(): void {
    const { kind, inputs } = this.#definition;
    const endsThem = ({ role }: InputPort): boolean =>
      (kind === "general" || !this.#passable.has(role)) && inputs[role]?.life != null;
    this.#watched = new Set(this.#ports.filter((port) => port.hasLife && !endsThem(port)));
    this.hasWatched = this.#watched.size > 0;
  }

  begin(given: unknown, role: string | null): void {
    for (const [port, item] of this.#itemsOf(given, role)) {
      if (!this.#watched.has(port)) continue;
      this.#inHand.set(item, (this.#inHand.get(item) ?? 0) + 1);
      if (isObject(item)) this.#lost.delete(item);
    }
  }

  /** Whether this item may be emitted: not if it is lost already. */
  mayEmit(item: unknown): boolean {
    return this.#putDown(item) || !isObject(item) || !this.#lost.has(item);
  }

  /** The call is over. True if the unit dropped what it was given: `lose` is to follow. */
  hasDropped(given: unknown, role: string | null, holds: boolean): boolean {
    if (!this.hasWatched) return false;
    let isDropped = false;
    for (const [port, item] of this.#itemsOf(given, role)) {
      if (!holds && this.#passable.has(port.role)) isDropped ||= this.#inHand.has(item);
      else if (this.#putDown(item) && !holds) port.lose(item, null);
    }
    return isDropped;
  }

  /** The unit failed on what it was given, or dropped it: what it has not passed on is lost. */
  lose(given: unknown, role: string | null, error: CrawlError): void {
    for (const [port, item] of this.#itemsOf(given, role)) {
      if (this.#watched.has(port) && !this.#putDown(item)) continue;
      if (isObject(item)) this.#lost.add(item);
      port.lose(item, error);
    }
  }

  /** False if it is not in hand. */
  #putDown(item: unknown): boolean {
    const times = this.#inHand.get(item);
    if (times === undefined) return false;
    if (times === 1) this.#inHand.delete(item);
    else this.#inHand.set(item, times - 1);
    return true;
  }

  #itemsOf(given: unknown, role: string | null): [InputPort, unknown][] {
    if (role === null) {
      const items = given as Readonly<Record<string, unknown>>;
      return this.#ports.map((port) => [port, items[port.role]]);
    }
    const port = this.#ports.find((one) => one.role === role);
    return port === undefined ? [] : [[port, given]];
  }
}

/** Types are told apart by their names. */
function passableOf({ inputs, outputs }: ComponentDefinition): ReadonlySet<string> {
  const given = new Set(Object.values(outputs).map((type) => type.name));
  return new Set(Object.keys(inputs).filter((role) => given.has(inputs[role]?.name ?? "")));
}

function isObject(item: unknown): item is object {
  return (typeof item === "object" && item !== null) || typeof item === "function";
}
