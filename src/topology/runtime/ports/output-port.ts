/**
 * An output of an instance: what the instance emitted and the connector has not yet taken. Emitting is
 * never refused; while anything waits here the instance gets no further items, so what waits is at most
 * what one batch of its input makes.
 */
import type { Counter } from "../../../base/telemetry/index.ts";
import type { Connector, Inlet } from "../../connector/index.ts";

export interface OutputPortParts {
  readonly connector: Connector<unknown>;
  readonly emitted: Counter;
  /** How often a batch had to wait for room. */
  readonly blocked: Counter;
  /** Called when there is room for what waits. */
  readonly wake: () => void;
}

export class OutputPort {
  readonly #parts: OutputPortParts;
  #inlet: Inlet<unknown>;
  #connector: Connector<unknown>;
  #waiting: unknown[] = [];
  /** How many of those, from the first, the connector has already. */
  #sent = 0;
  #isAsking = false;

  constructor(parts: OutputPortParts) {
    this.#parts = parts;
    this.#inlet = parts.connector.openInlet();
    this.#connector = parts.connector;
  }

  get waiting(): number {
    return this.#waiting.length - this.#sent;
  }

  readonly emit = (item: unknown): void => {
    this.#waiting.push(item);
  };

  /** Hands over what waits; false if some of it has to wait, and `wake` will be called. */
  flush(): boolean {
    if (this.#waiting.length === 0) return true;
    if (this.#isAsking) return false;
    const { capacity } = this.#connector;
    while (this.#waiting.length > 0) {
      const isWhole = this.#sent === 0 && this.#waiting.length <= capacity;
      const block = isWhole
        ? this.#waiting
        : this.#waiting.slice(this.#sent, this.#sent + capacity);
      if (!this.#inlet.tryOffer(block)) {
        this.#ask(block.length);
        return false;
      }
      this.#parts.emitted.add(block.length);
      // The connector has copied the references out of the array.
      if (isWhole) this.#waiting.length = 0;
      else this.#skip(block.length);
    }
    return true;
  }

  /** Another connector from now on; the old one has been emptied. */
  reconnect(connector: Connector<unknown>): void {
    this.#inlet.leave();
    this.#inlet = connector.openInlet();
    this.#connector = connector;
    this.#isAsking = false;
  }

  /** Gives the inlet back; `isDone` if nothing more is to be expected from this instance. */
  close(isDone: boolean): void {
    if (isDone) this.#inlet.close();
    else this.#inlet.leave();
  }

  /** Each item is moved about once, however many wait. */
  #skip(count: number): void {
    this.#sent += count;
    if (this.#sent * 2 < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#sent);
    this.#sent = 0;
  }

  #ask(count: number): void {
    this.#isAsking = true;
    this.#parts.blocked.add();
    this.#inlet.whenRoom(count, () => {
      this.#isAsking = false;
      this.#parts.wake();
    });
  }
}
