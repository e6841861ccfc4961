/** Listens on loopback, and forwards each connection to one address through two slow pipes. */
import { once } from "node:events";
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from "node:net";
import type { Clock, Random } from "../../base/seams/index.ts";
import { SlowPipe } from "./slow-pipe.ts";
import { type Slowness, Transit } from "./transit.ts";

export interface SlowLinkOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** `HOST:PORT` of what it leads to; asked at each connection, so that the link can be there first. */
  readonly to: () => string;
  readonly slowness: Slowness;
}

const LOOPBACK = "127.0.0.1";

interface Connection {
  readonly sockets: readonly [Socket, Socket];
  readonly pipes: readonly [SlowPipe, SlowPipe];
}

export class SlowLink {
  /** `HOST:PORT`: where it listens. */
  readonly address: string;
  readonly #options: SlowLinkOptions;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #made: SlowPipe[] = [];
  #isCut = false;

  private constructor(options: SlowLinkOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    this.address = `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
    server.on("connection", (socket) => this.#connect(socket));
  }

  /** Resolves when it listens, at a port that is free. */
  static async open(options: SlowLinkOptions): Promise<SlowLink> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    await once(server.listen(0, LOOPBACK), "listening");
    return new SlowLink(options, server);
  }

  /** How many connections were made so far. */
  get connections(): number {
    return this.#made.length / 2;
  }

  /** How many bytes have arrived so far, in both directions. */
  get passedBytes(): number {
    return this.#made.reduce((sum, pipe) => sum + pipe.passedBytes, 0);
  }

  /** How many segments have stalled so far. */
  get stalls(): number {
    return this.#made.reduce((sum, pipe) => sum + pipe.stalls, 0);
  }

  /** Nothing passes until it is healed, and nobody is told: connections stay open, new ones get no answer. */
  cut(): void {
    this.#isCut = true;
    for (const { pipes } of this.#connections) for (const pipe of pipes) pipe.hold();
  }

  /** What was under way arrives. */
  heal(): void {
    this.#isCut = false;
    for (const { pipes } of this.#connections) for (const pipe of pipes) pipe.release();
  }

  /** Resets all connections. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const connection of this.#connections) this.#drop(connection);
    await closed;
  }

  #connect(near: Socket): void {
    const { clock, slowness, to } = this.#options;
    const { hostname, port } = new URL(`tcp://${to()}`);
    const host = hostname.replace(/^\[|\]$/g, "");
    const far = createConnection({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    const pipe = (from: Socket, into: Socket, way: string): SlowPipe => {
      const random = this.#options.random.fork(`${this.connections} ${way}`);
      return new SlowPipe({ from, to: into, clock, transit: new Transit(slowness, random) });
    };
    const pipes = [pipe(near, far, "there"), pipe(far, near, "back")] as const;
    const connection: Connection = { sockets: [near, far], pipes };
    this.#made.push(...pipes);
    this.#connections.add(connection);
    for (const socket of connection.sockets) this.#watch(socket, connection);
    if (this.#isCut) for (const each of pipes) each.hold();
  }

  #watch(socket: Socket, connection: Connection): void {
    // What went wrong is told by the end of the other side.
    socket.on("error", () => this.#drop(connection));
    socket.on("close", () => {
      if (connection.sockets.every(({ destroyed }) => destroyed)) {
        this.#connections.delete(connection);
      }
    });
  }

  #drop(connection: Connection): void {
    this.#connections.delete(connection);
    for (const pipe of connection.pipes) pipe.close();
    for (const socket of connection.sockets) {
      // A reset waits for a connection that is being made.
      if (socket.connecting) socket.destroy();
      else socket.resetAndDestroy();
    }
  }
}
