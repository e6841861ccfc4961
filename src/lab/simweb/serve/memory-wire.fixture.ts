/** A wire and a listener in memory: what a server sends is kept, and tests play the clients. */
import type { Listener } from "./listener.ts";
import type { Wire, WireUser } from "./wire.ts";

export class MemoryWire implements Wire {
  readonly address: string;
  /** Everything sent, as text of one byte a character. */
  sent = "";
  ending: "open" | "ended" | "reset" = "open";
  isPaused = false;
  /** Whether the client takes nothing for now. */
  isClogged = false;
  /** What the server does when this wire is used; set by `connect`. */
  user: WireUser | null = null;

  constructor(address = "127.0.0.1") {
    this.address = address;
  }

  send(head: string, body: Uint8Array): boolean {
    this.sent += head + Buffer.from(body).toString("latin1");
    return !this.isClogged;
  }

  end(): void {
    if (this.ending === "open") this.ending = "ended";
  }

  reset(): void {
    this.ending = "reset";
    this.leave();
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** The client says something. */
  say(text: string): void {
    this.user?.received(Buffer.from(text, "latin1"));
  }

  ask(target: string, host = "a.example", fields = "User-Agent: T\r\n"): void {
    this.say(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`);
  }

  /** The client takes everything that waits for it. */
  drain(): void {
    this.isClogged = false;
    this.user?.drained();
  }

  /** The client goes away. */
  leave(): void {
    const { user } = this;
    this.user = null;
    user?.closed();
  }

  /** What was sent since the last time. */
  take(): string {
    const { sent } = this;
    this.sent = "";
    return sent;
  }
}

export class MemoryListener implements Listener {
  readonly port: number = 8080;
  readonly addresses: Set<string> = new Set(["127.0.0.1"]);
  #accept: (wire: Wire) => WireUser | null = () => null;

  get addressCount(): number {
    return this.addresses.size;
  }

  serve(accept: (wire: Wire) => WireUser | null): void {
    this.#accept = accept;
  }

  /** Addresses of 127.9 cannot be listened on. */
  listenOn(address: string, done: (isListening: boolean) => void): void {
    if (!address.startsWith("127.9.")) this.addresses.add(address);
    done(this.addresses.has(address));
  }

  async close(): Promise<void> {
    this.addresses.clear();
  }

  /** A client connects; its wire has no user when it was refused. */
  connect(address?: string): MemoryWire {
    const wire = new MemoryWire(address);
    wire.user = this.#accept(wire);
    return wire;
  }
}
