/** A `Port` on one end of Node's message channel: the thin piece between the mechanics and real threads. */
import { MessageChannel, MessagePort, type Worker } from "node:worker_threads";
import type { Port } from "./port.ts";

export class ThreadPort<Posted, Received> implements Port<Posted, Received> {
  readonly #end: MessagePort | Worker;

  constructor(end: MessagePort | Worker) {
    this.#end = end;
  }

  post(message: Posted, moved?: ArrayBuffer): void {
    if (moved === undefined) this.#end.postMessage(message);
    else this.#end.postMessage(message, [moved]);
  }

  listen(listener: (message: Received) => void): void {
    this.#end.on("message", listener);
  }

  close(): void {
    // A worker is ended by whoever started it.
    if (this.#end instanceof MessagePort) this.#end.close();
  }
}

export function openChannel(): readonly [MessagePort, MessagePort] {
  const { port1, port2 } = new MessageChannel();
  return [port1, port2];
}
