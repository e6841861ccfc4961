/**
 * An input of an instance: its outlet of a connector, and whether the instance waits there to be told of
 * items. An instance that does not want items does not wait either: what it would have been woken for
 * goes to others.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Connector, Outlet } from "../../connector/index.ts";

export class InputPort {
  readonly role: string;
  readonly #consumer: string;
  #connector: Connector<unknown>;
  #outlet: Outlet<unknown>;
  #isAsking = false;

  constructor(role: string, consumer: string, connector: Connector<unknown>) {
    this.role = role;
    this.#consumer = consumer;
    this.#connector = connector;
    this.#outlet = connector.openOutlet(consumer);
  }

  get hasItems(): boolean {
    return this.#outlet.length > 0;
  }

  get isDrained(): boolean {
    return this.#outlet.isDrained;
  }

  /** Of its items; the connector's type says so, since a unit's type may be a namesake. */
  get hasLife(): boolean {
    return this.#connector.type.life !== null;
  }

  /** The unit failed on an item, or dropped it; without an error, the item was at its end here. */
  lose(item: unknown, error: CrawlError | null): void {
    this.#connector.type.life?.lost(item, error);
  }

  tryTake(): unknown {
    return this.#outlet.tryTake();
  }

  /** Calls `wake` when there are items, or when there will be none any more. */
  ask(wake: () => void): void {
    if (this.#isAsking || this.#outlet.isDrained) return;
    this.#isAsking = true;
    this.#outlet.whenItems(() => {
      this.#isAsking = false;
      wake();
    });
  }

  /** Waits no more. Others are told of the items that this instance was told of and did not take. */
  stepBack(): void {
    this.reconnect(this.#connector);
  }

  /** The new outlet is there before the old one is gone, so a tee keeps the consumer's items. */
  reconnect(connector: Connector<unknown>): void {
    const before = this.#outlet;
    this.#connector = connector;
    this.#outlet = connector.openOutlet(this.#consumer);
    this.#isAsking = false;
    before.close();
  }

  close(): void {
    this.#outlet.close();
  }
}
