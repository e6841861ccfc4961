/**
 * The part of an agent in the mesh of its cluster: a `nats-server` that it starts, watches and ends, and
 * its transports over that server. Servers find each other by themselves once each has a route to one.
 *
 * A server that ends is started again; one that is there but does not answer its client is killed first.
 * Meanwhile transports have no server, and say so.
 *
 * Invariants: a directory has at most one server; it keeps its ports for as long as this process lives, so
 * that clients and other servers find it again.
 */
import assert from "node:assert/strict";
import { type CrawlError, isCrawlError } from "../../errors/index.ts";
import type { Clock, Random, Timer } from "../../seams/index.ts";
import { openNatsTransport } from "../nats/open-nats-transport.ts";
import type { ServedTransport } from "../nats/served-transport.ts";
import type { AgentId } from "../transport.ts";
import type { Doorkeeper } from "./doorkeeper.ts";
import { type JoinToken, printToken } from "./join-token.ts";
import type { LogFollower } from "./log-follower.ts";
import { RestartDelay } from "./restart-delay.ts";
import type { RunningServer, ServerPorts } from "./running-server.ts";
import type { ConnectionRefusal } from "./server-words.ts";

/** What it needs of a server that runs. */
export type MeshServer = Pick<RunningServer, "ended" | "stop" | "kill">;

export interface MeshParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly token: JoinToken;
  /** The seed of the key that the server takes clients by. */
  readonly clientSeed: string;
  /** The host at which other servers reach this one. */
  readonly host: string;
  readonly report: (event: MeshEvent) => void;
  /** How long a server may be silent before it is asked whether it is there. */
  readonly silenceMs: number;
  readonly doorkeeper: Doorkeeper;
  /** What the doorkeeper is told from. */
  readonly log: LogFollower;
  /** Starts a server at ports that are known; resolves to a text that says why there is none. */
  start(ports: ServerPorts): Promise<MeshServer | string>;
}

/** What becomes of the server, of its attempts to join others, and of its secrets. */
export type MeshEvent =
  | { readonly kind: "ended" }
  /** It was killed, since it did not answer. */
  | { readonly kind: "hung" }
  | { readonly kind: "started" }
  /** It will be tried again. */
  | { readonly kind: "failed"; readonly why: string }
  /** `CLUSTER_TOKEN_READABLE`, when it is opened: it goes on. */
  | { readonly kind: "exposed"; readonly error: CrawlError }
  /**
   * It is not let in where it was to join: `CLUSTER_TOKEN_REFUSED`, `CLUSTER_PEER_INVALID` or
   * `CLUSTER_PEER_SILENT`, once for each address. It tries again all the same. `isShutOut`: all addresses
   * to join have refused it for good, so an agent that has reached nobody never will.
   */
  | { readonly kind: "unwelcome"; readonly error: CrawlError; readonly isShutOut: boolean };

/** A client that finds its server again does so well within this time. */
const RETURN_MS_MAX = 2000;
/** Each of them may take two seconds. */
const CONNECT_TRIES_MAX = 10;
/** While a server is started again, its port is closed. */
const CONNECT_PAUSE_MS = 200;
/** A server that lets nobody in for so long hangs. */
const CONNECT_MS_MAX = 6000;

/** Made by `openMesh`. */
export class Mesh {
  readonly #parts: MeshParts;
  readonly #ports: ServerPorts;
  readonly #delay: RestartDelay;
  readonly #transports = new Set<ServedTransport>();
  #server: MeshServer | null;
  #restart: Timer | null = null;
  #starting: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: MeshParts, server: MeshServer, ports: ServerPorts) {
    this.#parts = parts;
    this.#ports = ports;
    this.#server = server;
    this.#delay = new RestartDelay(parts.clock, parts.random);
    this.#watch(server);
  }

  /** `HOST:PORT`: where other agents can join. */
  get listening(): string {
    return `${this.#parts.host}:${this.#ports.routes}`;
  }

  /** How many connections its server has refused or cut off since it was opened, by reason. */
  get refused(): ReadonlyMap<ConnectionRefusal, number> {
    return this.#parts.doorkeeper.refused;
  }

  /** The text of the join token that other agents need. */
  token(): string {
    return printToken(this.#parts.token);
  }

  /**
   * An agent's transport; agents reach each other if they name the same cluster. The server is there, but a
   * busy machine may let it answer late. One that hangs is replaced.
   */
  async connect(self: AgentId, cluster: string): Promise<ServedTransport> {
    const { clock } = this.#parts;
    const hang = this.#suspect(CONNECT_MS_MAX);
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return await this.#connectOnce(self, cluster);
        } catch (error) {
          const isLate = isCrawlError(error) && error.code === "TRANSPORT_CONNECT_FAILED";
          if (!isLate || tries >= CONNECT_TRIES_MAX || this.#isClosed) throw error;
        }
        await new Promise<void>((resolve) => clock.after(CONNECT_PAUSE_MS, resolve));
      }
    } finally {
      hang.cancel();
    }
  }

  #connectOnce(self: AgentId, cluster: string): Promise<ServedTransport> {
    const { clock, random, token, clientSeed, silenceMs } = this.#parts;
    let hang: Timer | null = null;
    const options = {
      ...{ self, cluster, clock, random, servers: [`tls://127.0.0.1:${this.#ports.client}`] },
      ...{ keySeed: clientSeed, silenceMs },
      tls: { ca: token.certificate, cert: token.certificate, key: token.key },
      connectionChanged: (isConnected: boolean) => {
        hang?.cancel();
        hang = isConnected ? null : this.#suspect(RETURN_MS_MAX);
      },
    };
    return new Promise((resolve, reject) =>
      openNatsTransport(options, (error, transport) => {
        if (error !== null) return reject(error);
        this.#transports.add(transport);
        resolve(transport);
      }),
    );
  }

  /** Closes its transports and ends the server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const transport of this.#transports) transport.close();
    this.#restart?.cancel();
    await this.#starting;
    await this.#server?.stop();
    this.#parts.log.close();
    this.#parts.doorkeeper.close();
  }

  #watch(server: MeshServer): void {
    void server.ended.then(() => {
      this.#server = null;
      if (this.#isClosed) return;
      this.#parts.report({ kind: "ended" });
      this.#startLater();
    });
  }

  #startLater(): void {
    this.#restart = this.#parts.clock.after(this.#delay.next(), () => {
      this.#starting = this.#startAgain();
    });
  }

  async #startAgain(): Promise<void> {
    assert(this.#server === null, "a server is started when there is none");
    // Its files cannot be written while the disk is full.
    const server = await this.#parts.start(this.#ports).catch((error: Error) => error.message);
    if (typeof server === "string") {
      if (this.#isClosed) return;
      this.#parts.report({ kind: "failed", why: server });
      return this.#startLater();
    }
    this.#server = server;
    this.#delay.started();
    this.#watch(server);
    if (!this.#isClosed) this.#parts.report({ kind: "started" });
  }

  /** A client has no server. If that is there and the client does not find it within this time, it hangs. */
  #suspect(patienceMs: number): Timer {
    const suspect = this.#server;
    return this.#parts.clock.after(patienceMs, () => {
      if (this.#isClosed || suspect === null || this.#server !== suspect) return;
      this.#parts.report({ kind: "hung" });
      suspect.kill();
    });
  }
}
