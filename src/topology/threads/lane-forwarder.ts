/**
 * Brings items from a connector of this thread to consumers in another one: takes them out only when the
 * lane has room for them, and closes it when nothing more will come. Several may stand at one connector
 * and share its items with consumers of this thread.
 */
import type { Clock } from "../../base/seams/index.ts";
import type { Inlet, Outlet } from "../connector/index.ts";
import type { LaneSender } from "./lane-sender.ts";

export class LaneForwarder<Item> {
  readonly #outlet: Outlet<Item>;
  readonly #inlet: Inlet<Item>;
  readonly #clock: Clock;
  /** Half of the lane, so that one half can be filled while the other is emptied. */
  readonly #countMax: number;

  constructor(outlet: Outlet<Item>, sender: LaneSender<Item>, clock: Clock) {
    this.#outlet = outlet;
    this.#inlet = sender.openInlet();
    this.#clock = clock;
    this.#countMax = Math.ceil(sender.capacity / 2);
    this.#ask();
  }

  #ask(): void {
    this.#outlet.whenItems(() => this.#later(() => this.#reserve()));
  }

  #reserve(): void {
    const count = Math.min(this.#outlet.length, this.#countMax);
    if (count > 0) this.#inlet.whenRoom(count, () => this.#later(() => this.#forward(count)));
    else if (this.#outlet.isDrained) this.#inlet.close();
    else this.#ask();
  }

  /** Others may have taken some meanwhile; the room that is left over is given back. */
  #forward(countMax: number): void {
    const items: Item[] = [];
    this.#outlet.takeInto(items, countMax);
    this.#inlet.tryOffer(items);
    this.#reserve();
  }

  /** Listeners of connectors may only note what is to be done. */
  #later(task: () => void): void {
    this.#clock.after(0, task);
  }
}
