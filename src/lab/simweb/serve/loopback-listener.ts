/**
 * Listens at one port on loopback addresses, one socket for each address that is in use. A socket
 * for all addresses at once (0.0.0.0) would be reachable from outside, so there is none: nothing
 * but 127.0.0.0/8 and ::1 is ever bound. A listening socket costs a few kilobytes and some tens of
 * microseconds, and is opened when its address is first given out by the name server; see ADR 0021.
 */
import assert from "node:assert/strict";
import { createServer, isIPv4, type Server, type Socket } from "node:net";
import { CrawlError } from "../../../base/errors/index.ts";
import type { Listener } from "./listener.ts";
import { SocketWire } from "./socket-wire.ts";
import type { Wire, WireUser } from "./wire.ts";

const ADDRESSES_MAX = 65_536;
const BACKLOG = 4096;

/** For the message when it cannot listen. */
export interface ListenPurpose {
  readonly who: string;
  /** The flag that chooses another port. */
  readonly flag: string;
}

const WEB: ListenPurpose = { who: "The synthetic web", flag: "--port" };

export class LoopbackListener implements Listener {
  readonly port: number;
  readonly #servers = new Map<string, Server>();
  /** Callbacks that wait for an address that is being opened. */
  readonly #opening = new Map<string, ((isListening: boolean) => void)[]>();
  #accept: (wire: Wire) => WireUser | null = () => null;
  #isClosed = false;

  /** Listens on 127.0.0.1 at this port; 0 takes a free one. */
  static async open(port: number, purpose: ListenPurpose = WEB): Promise<LoopbackListener> {
    const server = newServer();
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host: "127.0.0.1", backlog: BACKLOG }, resolve);
      });
    } catch (cause) {
      throw listenError(port, purpose, cause);
    }
    return new LoopbackListener(server);
  }

  private constructor(first: Server) {
    const bound = first.address();
    assert(bound !== null && typeof bound === "object");
    this.port = bound.port;
    this.#adopt(bound.address, first);
  }

  get addressCount(): number {
    return this.#servers.size;
  }

  serve(accept: (wire: Wire) => WireUser | null): void {
    this.#accept = accept;
  }

  listenOn(address: string, done: (isListening: boolean) => void): void {
    assert(isLoopback(address), "a synthetic web is served on loopback only");
    if (this.#servers.has(address)) {
      done(true);
      return;
    }
    const waiting = this.#opening.get(address);
    if (waiting !== undefined) waiting.push(done);
    else if (this.#isClosed || this.#servers.size + this.#opening.size >= ADDRESSES_MAX)
      done(false);
    else this.#open(address, done);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    this.#accept = () => null;
    for (const server of servers) server.close();
  }

  #open(address: string, done: (isListening: boolean) => void): void {
    const server = newServer();
    this.#opening.set(address, [done]);
    const opened = (isListening: boolean): void => {
      const waiting = this.#opening.get(address) ?? [];
      this.#opening.delete(address);
      const isWanted = isListening && !this.#isClosed;
      if (isWanted) this.#adopt(address, server);
      else if (isListening) server.close();
      for (const tell of waiting) tell(isWanted);
    };
    server.once("error", () => opened(false));
    server.listen({ port: this.port, host: address, backlog: BACKLOG }, () => opened(true));
  }

  #adopt(address: string, server: Server): void {
    this.#servers.set(address, server);
    server.removeAllListeners("error");
    // After an accept that fails for lack of descriptors the client has to try again.
    server.on("error", () => {});
    server.on("connection", (socket) => this.#connect(socket, address));
  }

  #connect(socket: Socket, address: string): void {
    const wire = new SocketWire(socket, address);
    const user = this.#accept(wire);
    if (user === null) wire.reset();
    else wire.attach(user);
  }
}

function newServer(): Server {
  return createServer({ allowHalfOpen: true, noDelay: true });
}

/** Whether an address can only be reached from this machine. */
export function isLoopback(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}

export function listenError(
  port: number,
  { who, flag }: ListenPurpose,
  cause: unknown,
): CrawlError {
  const problem = cause instanceof Error ? cause.message : String(cause);
  return new CrawlError(
    "SIMWEB_LISTEN_FAILED",
    `${who} cannot listen on 127.0.0.1 at port ${port}: ${problem}. ` +
      `Choose another port with ${flag}, or 0 for any that is free.`,
    { address: "127.0.0.1", port },
    cause,
  );
}
