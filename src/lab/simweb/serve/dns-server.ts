/**
 * The name server's sockets: UDP and TCP at one port of 127.0.0.1. What is answered is decided by
 * `WebNames`; this file only carries it.
 */
import { createSocket, type Socket } from "node:dgram";
import type { Clock } from "../../../base/seams/index.ts";
import { DnsStream } from "./dns-stream.ts";
import { type ListenPurpose, LoopbackListener, listenError } from "./loopback-listener.ts";
import type { WebNames } from "./web-names.ts";
import type { Wire } from "./wire.ts";

const ADDRESS = "127.0.0.1";
const PURPOSE: ListenPurpose = { who: "The name server", flag: "--dns-port" };
const STREAMS_MAX = 1000;
const RECEIVE_BYTES = 1024 * 1024;
/** A free port of UDP may be taken for TCP; then another one is tried. */
const PORT_TRIES = 20;

export interface DnsServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly names: WebNames;
  readonly clock: Clock;
}

export class DnsServer {
  readonly port: number;
  readonly #datagrams: Socket;
  readonly #listener: LoopbackListener;
  readonly #streams = new Set<Wire>();
  readonly #options: DnsServerOptions;

  static async open(options: DnsServerOptions): Promise<DnsServer> {
    for (let tries = 1; ; tries += 1) {
      const datagrams = await bind(options.port);
      try {
        const listener = await LoopbackListener.open(datagrams.address().port, PURPOSE);
        return new DnsServer(datagrams, listener, options);
      } catch (error) {
        datagrams.close();
        if (options.port !== 0 || tries === PORT_TRIES) throw error;
      }
    }
  }

  private constructor(datagrams: Socket, listener: LoopbackListener, options: DnsServerOptions) {
    this.#datagrams = datagrams;
    this.#listener = listener;
    this.#options = options;
    this.port = listener.port;
    datagrams.on("message", (message, { port, address }) => {
      options.names.answer(message, "udp", (answer) => {
        datagrams.send(answer, port, address, () => {});
      });
    });
    listener.serve((wire) => this.#accept(wire));
  }

  async close(): Promise<void> {
    this.#options.names.stop();
    for (const wire of this.#streams) wire.reset();
    await this.#listener.close();
    await new Promise<void>((resolve) => this.#datagrams.close(resolve));
  }

  #accept(wire: Wire): DnsStream | null {
    if (this.#streams.size >= STREAMS_MAX) return null;
    const { names, clock } = this.#options;
    this.#streams.add(wire);
    return new DnsStream({ names, wire, clock, gone: () => this.#streams.delete(wire) });
  }
}

function bind(port: number): Promise<Socket> {
  const socket = createSocket({ type: "udp4", recvBufferSize: RECEIVE_BYTES });
  return new Promise((resolve, reject) => {
    socket.once("error", (cause) => {
      socket.close();
      reject(listenError(port, PURPOSE, cause));
    });
    socket.bind({ port, address: ADDRESS }, () => {
      socket.removeAllListeners("error");
      // What cannot be sent is lost, as datagrams are.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}
