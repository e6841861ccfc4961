/** Opens an agent's part of the mesh: finds the server, the token and the ports, and starts the server. */
import { CrawlError } from "../../errors/index.ts";
import type { Clock, Random } from "../../seams/index.ts";
import { Doorkeeper } from "./doorkeeper.ts";
import { neededServer } from "./find-server.ts";
import { checkCrawl, type JoinToken, readToken } from "./join-token.ts";
import { LogFollower, lengthOf } from "./log-follower.ts";
import { Mesh, type MeshEvent } from "./mesh.ts";
import { ownToken, stateFolder, tokenExposure } from "./own-token.ts";
import { RunningServer, type ServerPorts, type StartedServer } from "./running-server.ts";
import { ANY_PORT } from "./server-configuration.ts";
import { ServerFolder } from "./server-folder.ts";
import { endStaleServer } from "./stale-server.ts";

export interface MeshOptions {
  /** Absolute: the folder for the files of the server, which nobody else uses. */
  readonly directory: string;
  /** `HOST:PORT` for other servers; null is loopback, at the same port as last time if it is free. */
  readonly listen: string | null;
  /**
   * `HOST:PORT` at which other servers are told to reach this one, where that is not what they see: behind a
   * published port, or a link of a test.
   */
  readonly advertise?: string;
  /** `HOST:PORT` of other agents' servers; two or three are enough, none for the first agent. */
  readonly join: readonly string[];
  /** The path of a join token; null for the one that this user's agents on this machine share. */
  readonly token: string | null;
  /** The variables of the process, which may say where that one is. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The id of the crawl; null if it is not known yet. */
  readonly crawl: string | null;
  /** The path of the server program; null to look for it. */
  readonly program: string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: MeshEvent) => void;
  /** How long a server may be silent before it is asked whether it is there; for tests. */
  readonly silenceMs?: number;
}

const LOOPBACK = "127.0.0.1";
const SILENCE_MS = 2000;

/**
 * Resolves when the server is ready; other servers may not be reached yet. Rejects with
 * `CLUSTER_SERVER_MISSING`, `CLUSTER_TOKEN_INVALID`, `CLUSTER_PORT_IN_USE` or `CLUSTER_MESH_FAILED`.
 */
export async function openMesh(options: MeshOptions): Promise<Mesh> {
  const { clock, random, report, silenceMs = SILENCE_MS } = options;
  const { program } = await neededServer(options.program);
  const token = tokenOf(options);
  const folder = new ServerFolder(options.directory, token);
  const key = await newClientKey();
  const host = options.listen?.replace(/:\d+$/, "") ?? LOOPBACK;
  const start = async (ports: ServerPorts): Promise<StartedServer | string> => {
    await endStaleServer(folder.files.process, folder.configuration, clock);
    folder.configure({
      ...{ name: key.public, clientKey: key.public, clientPort: ports.client },
      ...{ routesAt: `${host}:${ports.routes}`, advertise: options.advertise ?? null },
      join: options.join,
    });
    const { files, configuration } = folder;
    return RunningServer.start({ program, configuration, files, clock });
  };
  const fromBytes = lengthOf(folder.files.log);
  const { server, ports } = await firstStart(options, folder, start);
  const again = async (known: ServerPorts): Promise<RunningServer | string> => {
    const started = await start(known);
    return typeof started === "string" ? started : started.server;
  };
  const doorkeeper = new Doorkeeper({
    ...{ clock, join: options.join },
    told: (error, isShutOut) => report({ kind: "unwelcome", error, isShutOut }),
  });
  const log = new LogFollower({
    ...{ path: folder.files.log, fromBytes, clock },
    heard: (line) => doorkeeper.heard(line),
    turned: () => folder.removeOldLogs(),
  });
  const parts = { clock, random, token, clientSeed: key.seed, host, report, silenceMs };
  return new Mesh({ ...parts, start: again, doorkeeper, log }, server, ports);
}

async function firstStart(
  { listen }: MeshOptions,
  folder: ServerFolder,
  start: (ports: ServerPorts) => Promise<StartedServer | string>,
): Promise<StartedServer> {
  const asked = listen === null ? null : Number(/\d+$/.exec(listen)?.[0]);
  const known = asked ?? folder.lastRoutesPort();
  let started = await start({ client: ANY_PORT, routes: known ?? ANY_PORT });
  // Another process may have the port of last time.
  if (typeof started === "string" && asked === null && known !== null) {
    started = await start({ client: ANY_PORT, routes: ANY_PORT });
  }
  if (typeof started === "string") throw cannotStart(started, listen, folder);
  if (listen === null) folder.keepRoutesPort(started.ports.routes);
  return started;
}

function tokenOf({ token: path, environment, crawl, report }: MeshOptions): JoinToken {
  const token = path === null ? ownToken(stateFolder(environment)) : readToken(path);
  checkCrawl(token, crawl);
  const error = path === null ? null : tokenExposure(path);
  if (error !== null) report({ kind: "exposed", error });
  return token;
}

/** A key that only this process and its server have; the server is told the public half of it. */
async function newClientKey(): Promise<{ readonly public: string; readonly seed: string }> {
  const { nkeys } = await import("@nats-io/transport-node");
  const pair = nkeys.createUser();
  return { public: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString() };
}

function cannotStart(why: string, listen: string | null, { files }: ServerFolder): CrawlError {
  if (listen !== null && /address already in use|Only one usage of each socket/.test(why)) {
    return new CrawlError(
      "CLUSTER_PORT_IN_USE",
      `Another process listens at ${listen}, where other agents were to reach this one: ${why}. Stop it, ` +
        "or choose another port with --listen.",
      { listen, why },
    );
  }
  const where = listen === null ? "" : ` at ${listen}`;
  return new CrawlError(
    "CLUSTER_MESH_FAILED",
    `The nats-server of this agent could not be started${where}: ${why}. Its log is ${files.log}.`,
    { listen, why },
  );
}
