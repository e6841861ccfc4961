/**
 * Takes items out of a connector whose consumers have all finished, such as a join that has come to the
 * end of another of its inputs. Nobody will ever want these items, and their producers would wait for
 * ever. They are counted, so that nothing vanishes unseen.
 */
import type { Connector, Outlet } from "../../connector/index.ts";
import type { Runnable, Turns } from "../instances/turns.ts";

const BATCH = 256;

export class Leftovers implements Runnable {
  isWoken = false;
  readonly #turns: Turns;
  readonly #emptied: () => void;
  #outlet: Outlet<unknown>;
  #dropped = 0;
  #isOver = false;

  /** `emptied` is told whenever nothing is left. */
  constructor(turns: Turns, connector: Connector<unknown>, emptied: () => void) {
    this.#turns = turns;
    this.#emptied = emptied;
    this.#outlet = connector.openOutlet("");
    this.#turns.wake(this);
  }

  get dropped(): number {
    return this.#dropped;
  }

  get isEmpty(): boolean {
    return this.#outlet.length === 0;
  }

  run(): void {
    if (this.#isOver) return;
    const outlet = this.#outlet;
    this.#dropped += outlet.takeInto([], BATCH);
    if (!outlet.isDrained) outlet.whenItems(() => this.#turns.wake(this));
    if (this.isEmpty) this.#emptied();
  }

  reconnect(connector: Connector<unknown>): void {
    this.#outlet.close();
    this.#outlet = connector.openOutlet("");
    this.#turns.wake(this);
  }

  close(): void {
    this.#isOver = true;
    this.#outlet.close();
  }
}
