/**
 * Items whose type has a life, while a unit has them in hand. Such an item must be passed on or ended,
 * or what it holds is never given back. Authors need not know: what their unit neither emitted nor kept
 * when its call was over is told that it is lost, and cannot be emitted any more.
 *
 * Filters, joins and merges keep nothing between calls, so the end of a call decides. A sink or a general
 * component ends items itself if it declares their life; one that knows the type only by its name does
 * not. What a general component holds on to, it announces by `hold`.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { ComponentDefinition } from "../unit/index.ts";
import type { InputPort } from "./input-port.ts";

/** A `role` is that of an input; with null, the items of all inputs of a join are meant. */
export class Lives {
  readonly #definition: ComponentDefinition;
  readonly #ports: readonly InputPort[];
  /** The inputs whose items the unit need not end. */
  #watched: ReadonlySet<InputPort> = new Set();
  readonly #inHand = new Set<unknown>();
  readonly #lost = new WeakSet<object>();
  /** If not, only `lose` is to be called. */
  hasWatched = false;

  constructor(definition: ComponentDefinition, ports: readonly InputPort[]) {
    this.#definition = definition;
    this.#ports = ports;
    this.reconnected();
  }

  /** The inputs may carry other types now. Nothing is in hand. */
  reconnected(): void {
    const { kind, inputs } = this.#definition;
    const endsThem = kind === "sink" || kind === "general";
    this.#watched = new Set(
      this.#ports.filter((port) => port.hasLife && !(endsThem && inputs[port.role]?.life != null)),
    );
    this.hasWatched = this.#watched.size > 0;
  }

  begin(given: unknown, role: string | null): void {
    for (const [port, item] of this.#itemsOf(given, role)) {
      if (!this.#watched.has(port)) continue;
      this.#inHand.add(item);
      if (isObject(item)) this.#lost.delete(item);
    }
  }

  /** Whether this item may be emitted: not if it is lost already. */
  mayEmit(item: unknown): boolean {
    return this.#inHand.delete(item) || !isObject(item) || !this.#lost.has(item);
  }

  /** The call is over. True if the unit dropped what it was given: `lose` is to follow. */
  hasDropped(given: unknown, role: string | null, holds: boolean): boolean {
    if (!this.hasWatched) return false;
    const left = this.#itemsOf(given, role).filter(([, item]) => this.#inHand.has(item));
    if (!holds && this.#definition.kind !== "sink") return left.length > 0;
    for (const [port, item] of left) {
      this.#inHand.delete(item);
      if (!holds) port.lose(item, null);
    }
    return false;
  }

  /** The unit failed on what it was given, or dropped it: what it has not passed on is lost. */
  lose(given: unknown, role: string | null, error: CrawlError): void {
    for (const [port, item] of this.#itemsOf(given, role)) {
      const isLeft = this.#inHand.delete(item);
      if (this.#watched.has(port) && !isLeft) continue;
      if (isObject(item)) this.#lost.add(item);
      port.lose(item, error);
    }
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

function isObject(item: unknown): item is object {
  return (typeof item === "object" && item !== null) || typeof item === "function";
}
