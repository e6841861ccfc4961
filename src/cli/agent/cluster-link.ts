/**
 * How an agent reaches the others: through a NATS server of its own, which finds those of the others, or
 * through servers that exist. What becomes of the servers is told to whoever watches.
 */
import { join, resolve } from "node:path";
import type { openMember } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import { answered, type Clock, type Random } from "../../base/seams/index.ts";
import {
  type AgentId,
  type Mesh,
  type MeshEvent,
  openMesh,
  openNatsTransport,
  type ServedTransport,
  type Transport,
} from "../../base/transport/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { Terminal } from "../shell/terminal.ts";

type Refusals = ReturnType<NonNullable<Parameters<typeof openMember>[0]["refusals"]>>;

export interface ClusterLinkOptions {
  readonly cluster: Configuration["cluster"];
  /** Keeps crawls apart that share existing servers. */
  readonly crawlName: string;
  /** The crawl directory. */
  readonly folder: string;
  readonly clock: Clock;
  readonly environment: Terminal["environment"];
  /** Told where others can join the agent; not over existing servers. */
  readonly listens: (agent: AgentId, address: string) => void;
  /** Told of what it waits out. */
  readonly report: (error: CrawlError) => void;
  /** Told when it has its server again, or has lost it. */
  readonly note: (event: string, text: string) => void;
  /** Nobody whom it was to join lets it in, or ever will. */
  readonly shutOut: (error: CrawlError) => void;
}

/** In the crawl directory. */
const MESH_FOLDER = "mesh";
/** Agents of a managed mesh have one token, which keeps crawls apart. */
const MESH_NAME = "mesh";

export class ClusterLink implements AsyncDisposable {
  readonly #options: ClusterLinkOptions;
  readonly #random: Random = new SeededRandom(freshSeed());
  #mesh: Mesh | null = null;
  #transport: ServedTransport | null = null;
  #standings: () => readonly string[] = () => [];

  constructor(options: ClusterLinkOptions) {
    this.#options = options;
  }

  /** Rejects with a `CLUSTER_…` or `TRANSPORT_…` error. */
  async connect(self: AgentId, crawl: string | null): Promise<Transport> {
    const { nats } = this.#options.cluster;
    this.#transport =
      nats.length > 0 ? await this.#overServers(self) : await this.#overMesh(self, crawl);
    return this.#transport;
  }

  /** From now on it is known how the others stand. */
  knows(standings: () => readonly string[]): void {
    this.#standings = standings;
  }

  /** What others have tried in vain. */
  refusals(): Refusals {
    return {
      messages: this.#transport?.refused ?? new Map<string, number>(),
      connections: this.#mesh?.refused ?? new Map<string, number>(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#transport?.close();
    await this.#mesh?.close();
  }

  async #overMesh(self: AgentId, crawl: string | null): Promise<ServedTransport> {
    const { cluster, folder, clock, environment, listens } = this.#options;
    const { listen, join: peers, token } = cluster;
    const mesh = await openMesh({
      ...{ listen, join: peers, token, environment, crawl, clock, random: this.#random },
      directory: join(resolve(folder), MESH_FOLDER),
      program: null,
      report: (event) => this.#heard(event),
    });
    this.#mesh = mesh;
    listens(self, mesh.listening);
    return await mesh.connect(self, MESH_NAME);
  }

  #overServers(self: AgentId): Promise<ServedTransport> {
    const { cluster, clock, crawlName, note } = this.#options;
    return answered((done) =>
      openNatsTransport(
        {
          ...{ self, clock, random: this.#random, servers: cluster.nats, cluster: crawlName },
          ...{ keySeed: null, tls: null },
          connectionChanged: (isConnected) => {
            if (isConnected) note("connected", "a NATS server is reached again");
            else note("disconnected", "no NATS server is reached; trying again");
          },
        },
        done,
      ),
    );
  }

  #heard(event: MeshEvent): void {
    const { note, report, shutOut } = this.#options;
    switch (event.kind) {
      case "ended":
        note("server-ended", "its nats-server has ended; another is started");
        break;
      case "hung":
        note("server-hung", "its nats-server does not answer; another is started");
        break;
      case "started":
        note("server-started", "its nats-server runs again");
        break;
      case "failed":
        report(notStarted(event.why));
        break;
      case "exposed":
        report(event.error);
        break;
      case "unwelcome":
        if (event.error.code === "CLUSTER_PEER_SILENT" && isOfLeaver(this.#standings())) break;
        report(event.error);
        if (event.isShutOut) shutOut(event.error);
        break;
    }
  }
}

/**
 * Whether an address has fallen silent, as far as can be told, since the agent there has left, or was given
 * up for good: no other one is missed.
 */
export function isOfLeaver(standings: readonly string[]): boolean {
  const isMissed = standings.some((standing) => standing === "suspect" || standing === "dead");
  return standings.includes("given-up") && !isMissed;
}

function notStarted(why: string): CrawlError {
  return new CrawlError(
    "CLUSTER_MESH_FAILED",
    `The nats-server of this agent could not be started again: ${why}. It is tried again.`,
    { why },
  );
}
