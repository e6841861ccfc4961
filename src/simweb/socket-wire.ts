/** A wire that is a socket. */
import type { Socket } from "node:net";
import type { Wire, WireUser } from "./wire.ts";

const NOTHING = new Uint8Array(0);

export class SocketWire implements Wire {
  readonly address: string;
  readonly #socket: Socket;
  #user: WireUser | null = null;

  constructor(socket: Socket, address: string) {
    this.#socket = socket;
    this.address = address;
    // The close that follows says all that is to be known.
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
    // Together they leave in one call to the system; copying them together costs twice as much.
    socket.cork();
    if (head !== "") socket.write(head, "latin1");
    if (body.length > 0) socket.write(body);
    socket.uncork();
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
}
