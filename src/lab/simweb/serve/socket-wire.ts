/**
 * A wire that is a socket. Head and body leave in one call to the system: an answer of usual length
 * is put together in a buffer that all wires share, since nearly always the system takes all of it
 * at once, so that the buffer is free again when the call returns. Where it does not, the buffer is
 * left to the socket and another takes its place.
 */
import type { Socket } from "node:net";
import type { Wire, WireUser } from "./wire.ts";

const NOTHING = new Uint8Array(0);
const SHARED_BYTES = 64 * 1024;

let shared = Buffer.allocUnsafeSlow(SHARED_BYTES);

export class SocketWire implements Wire {
  readonly address: string;
  readonly #socket: Socket;
  #user: WireUser | null = null;

  constructor(socket: Socket, address: string) {
    this.#socket = socket;
    this.address = address;
    // The close that follows tells everything.
    socket.on("error", () => {});
  }

  attach(user: WireUser): void {
    this.#user = user;
    this.#socket.on("data", (bytes: Buffer) => user.received(bytes));
    this.#socket.on("end", () => user.halfClosed());
    this.#socket.on("close", () => user.closed());
  }

  send(head: string, body: Uint8Array): boolean {
    const socket = this.#socket;
    if (socket.destroyed) return true;
    if (head.length + body.length <= SHARED_BYTES) this.#sendTogether(head, body);
    else this.#sendApart(head, body);
    if (socket.writableLength === 0) return true;
    socket.write(NOTHING, (error) => {
      if (error == null) this.#user?.drained();
    });
    return false;
  }

  end(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  #sendTogether(head: string, body: Uint8Array): void {
    shared.write(head, 0, "latin1");
    shared.set(body, head.length);
    this.#socket.write(shared.subarray(0, head.length + body.length));
    if (this.#socket.writableLength > 0) shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
  }

  #sendApart(head: string, body: Uint8Array): void {
    this.#socket.cork();
    if (head !== "") this.#socket.write(head, "latin1");
    this.#socket.write(body);
    this.#socket.uncork();
  }
}
