/**
 * Connects an agent to NATS servers. The client of NATS finds other servers of the mesh by itself and goes
 * on with one of them when its own is gone; it never gives up, even if they refuse it for a while, as when
 * passwords are changed.
 *
 * Servers of users may let a client in and forbid it to use the subjects of agents. It would hear nothing
 * for ever, so that is tried before it counts as connected.
 */
import type { NodeConnectionOptions } from "@nats-io/transport-node";
import { CrawlError } from "../../errors/index.ts";
import type { Clock, Done, Random } from "../../seams/index.ts";
import { type AgentId, MESSAGE_BYTES_MAX } from "../transport.ts";
import { NatsTransport, NOBODY_LISTENS } from "./nats-transport.ts";
import type { ServedTransport } from "./served-transport.ts";
import { readServerUrls } from "./server-urls.ts";
import { subjectWord } from "./subject-words.ts";

export interface NatsOptions {
  readonly self: AgentId;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * URLs (`nats://host:port`, `tls://…`), with the same name and password in front of an at sign, or token,
   * where servers ask for these.
   */
  readonly servers: readonly string[];
  /** Keeps clusters apart that share servers. */
  readonly cluster: string;
  /** The seed of the client's key; null where servers ask for none. */
  readonly keySeed: string | null;
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string } | null;
  /** How long a server may be silent before it is asked whether it is there. */
  readonly silenceMs?: number;
  /** Told when its server is gone, and when it has one again. */
  readonly connectionChanged?: (isConnected: boolean) => void;
}

/** A server that hangs is left soon: heartbeats of the cluster are lost meanwhile. */
const SILENCE_MS = 2000;
const PATIENCE = {
  ...{ timeout: 2000, maxPingOut: 2 },
  ...{ reconnectTimeWait: 100, reconnectJitter: 400, reconnectJitterTLS: 400 },
  ...{ maxReconnectAttempts: -1, ignoreAuthErrorAbort: true },
};

/**
 * Answers when a server has accepted it; `TRANSPORT_LOGIN_REFUSED` if one does not want it, and
 * `TRANSPORT_CONNECT_FAILED` if none can be used.
 */
export function openNatsTransport(options: NatsOptions, done: Done<ServedTransport>): void {
  opened(options).then(
    (transport) => done(null, transport),
    (cause: Error) => {
      done(cause instanceof CrawlError ? cause : cannotConnect(options, cause), undefined);
    },
  );
}

async function opened(options: NatsOptions): Promise<ServedTransport> {
  // Loaded only by agents of clusters.
  const { connect, headers, nkeyAuthenticator } = await import("./nats-client.ts");
  const { self, clock, random, cluster, keySeed, tls } = options;
  const { silenceMs: pingInterval = SILENCE_MS } = options;
  const { hosts, login, isTls } = readServerUrls(options.servers);
  const wanted: NodeConnectionOptions = {
    ...PATIENCE,
    ...login,
    pingInterval,
    name: self,
    servers: [...hosts],
  };
  if (keySeed !== null) wanted.authenticator = nkeyAuthenticator(Buffer.from(keySeed));
  if (tls !== null || isTls) wanted.tls = tls ?? {};
  const connection = await connect(wanted);
  const maxBytes = connection.info?.max_payload ?? MESSAGE_BYTES_MAX;
  if (maxBytes < MESSAGE_BYTES_MAX) {
    await connection.close();
    throw tooNarrow(options, maxBytes);
  }
  const name = `${random.u32().toString(36)}-${random.u32().toString(36)}`;
  const prefix = `trobar.${subjectWord(cluster)}`;
  const notServed = headers(NOBODY_LISTENS, "nobody serves this kind");
  const { connectionChanged = () => undefined } = options;
  const transport = new NatsTransport({
    ...{ self, clock, connection, name, prefix, notServed, connectionChanged },
  });
  try {
    const forbidden = await transport.tried();
    if (forbidden !== null) throw mayNot(options, forbidden);
    return transport;
  } catch (error) {
    transport.close();
    throw error;
  }
}

function cannotConnect(options: NatsOptions, cause: Error): CrawlError {
  const names = namesOf(options);
  if (cause.name === "AuthorizationError") {
    return new CrawlError(
      "TRANSPORT_LOGIN_REFUSED",
      `The NATS server at ${names} refuses this agent: ${cause.message}. Give the name and password, or ` +
        "the token, that it wants in its URL: nats://NAME:PASSWORD@HOST:PORT or nats://TOKEN@HOST:PORT.",
      { servers: names },
      cause,
    );
  }
  return new CrawlError(
    "TRANSPORT_CONNECT_FAILED",
    `No NATS server at ${names} accepts this agent: ${cause.message}. Look whether it runs, whether it can ` +
      "be reached from here, and whether it has TLS if its URL begins with tls.",
    { servers: names },
    cause,
  );
}

function mayNot(options: NatsOptions, forbidden: string): CrawlError {
  const names = namesOf(options);
  return new CrawlError(
    "TRANSPORT_LOGIN_REFUSED",
    `The NATS server at ${names} lets this agent in, but forbids it to ${forbidden}. Let its user publish ` +
      "and subscribe to trobar.> in the configuration of the server.",
    { servers: names, forbidden },
  );
}

function tooNarrow(options: NatsOptions, maxBytes: number): CrawlError {
  const names = namesOf(options);
  return new CrawlError(
    "TRANSPORT_CONNECT_FAILED",
    `The NATS server at ${names} takes messages of at most ${maxBytes} bytes. Set max_payload to ` +
      `${MESSAGE_BYTES_MAX} in its configuration.`,
    { servers: names, maxBytes },
  );
}

/** Names and passwords are in no message. */
function namesOf({ servers }: NatsOptions): string {
  return readServerUrls(servers).hosts.join(", ");
}
