/**
 * Brings items from a connector of this thread to consumers in another one: takes them out only when the
 * lane has room for them, and closes it when nothing more will come. Several may stand at one connector
 * and share its items with consumers of this thread.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../base/seams/index.ts";
import type { Inlet, Outlet } from "../connector/index.ts";
import type { LaneSender } from "./lane-sender.ts";

export class LaneForwarder<Item> {
  readonly #sender: LaneSender<Item>;
  readonly #clock: Clock;
  #outlet: Outlet<Item>;
  #inlet: Inlet<Item>;
  #isDone = false;
  /** How often it has moved: what was begun before is not gone on with. */
  #moves = 0;

  constructor(outlet: Outlet<Item>, sender: LaneSender<Item>, clock: Clock) {
    this.#sender = sender;
    this.#clock = clock;
    this.#outlet = outlet;
    this.#inlet = sender.openInlet();
    this.#ask();
  }

  /** Goes on at another outlet. The lane may have another capacity by now. */
  moveTo(outlet: Outlet<Item>): void {
    this.#outlet.close();
    this.#outlet = outlet;
    if (this.#isDone) return;
    this.#moves += 1;
    this.#inlet.leave();
    this.#inlet = this.#sender.openInlet();
    this.#reserve();
  }

  #ask(): void {
    this.#outlet.whenItems(this.#later(() => this.#reserve()));
  }

  #reserve(): void {
    // Half of the lane, so that one half can be filled while the other is emptied.
    const count = Math.min(this.#outlet.length, Math.ceil(this.#sender.capacity / 2));
    if (count > 0) {
      this.#inlet.whenRoom(
        count,
        this.#later(() => this.#forward(count)),
      );
    } else if (this.#outlet.isDrained) {
      this.#isDone = true;
      this.#inlet.close();
    } else this.#ask();
  }

  /** Others may have taken some meanwhile; the room that is left over is given back. */
  #forward(countMax: number): void {
    const items: Item[] = [];
    this.#outlet.takeInto(items, countMax);
    const isIn = this.#inlet.tryOffer(items);
    assert(isIn, "room that was kept is there");
    this.#reserve();
  }

  /** Listeners of connectors may only note what is to be done. */
  #later(task: () => void): () => void {
    const moves = this.#moves;
    return () =>
      void this.#clock.after(0, () => {
        if (moves === this.#moves) task();
      });
  }
}
