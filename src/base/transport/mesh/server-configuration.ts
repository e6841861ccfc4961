/**
 * The configuration of a managed server, as text. Its shape is one that refuses strangers on every version
 * from 2.9.10 on:
 * - no `authorization` for clients, which together with accounts lets anybody in before 2.9.23
 *   (CVE-2023-47090), and no `no_auth_user`;
 * - clients on loopback only, by a key that only this server knows, over TLS;
 * - routes over TLS in which either side must have the key of the join token (`pinned_certs`). That, and
 *   not a name, is what is verified: `insecure` only turns off the comparison of host names. The password
 *   of routes comes after that.
 */
import { MESSAGE_BYTES_MAX } from "../transport.ts";

export interface ServerSettings {
  readonly name: string;
  /** A port, or `ANY_PORT`. */
  readonly clientPort: number;
  /** The public key of the only client. */
  readonly clientKey: string;
  /** `HOST:PORT`. */
  readonly routesAt: string;
  /** `HOST:PORT` at which other servers are told to reach this one; null if it is what they see. */
  readonly advertise: string | null;
  readonly password: string;
  /** `HOST:PORT` of other servers. */
  readonly join: readonly string[];
  /** The SHA-256 of the key that all servers have. */
  readonly keyDigest: string;
  readonly files: ServerFiles;
}

/** Absolute paths. */
export interface ServerFiles {
  readonly certificate: string;
  readonly key: string;
  readonly log: string;
  readonly process: string;
  /** A folder, in which a file tells the ports when the server is ready. */
  readonly ports: string;
}

export const ANY_PORT = -1;
/** All servers of a mesh must give themselves the same. */
const MESH_NAME = "trobar";
const ROUTE_USER = "trobar";
/**
 * A route to a server that was heard of from another one is tried for weeks, once a second: until its
 * machine is back, or this server is started again. Those to `join` are tried for ever.
 */
const CONNECT_RETRIES = 1_000_000;
const LOG_BYTES_MAX = 4 * 1024 * 1024;

export function printServerConfiguration(settings: ServerSettings): string {
  const { name, clientPort, clientKey, files } = settings;
  return [
    "# Written by Trobar at every start of the server.",
    line("server_name", name),
    line("listen", `127.0.0.1:${clientPort}`),
    line("ports_file_dir", files.ports),
    line("pid_file", files.process),
    line("log_file", files.log),
    line("logfile_size_limit", LOG_BYTES_MAX),
    line("max_payload", MESSAGE_BYTES_MAX),
    line("ping_interval", "5s"),
    line("ping_max", 2),
    line("write_deadline", "5s"),
    block("tls", tlsLines(settings)),
    block("accounts", [
      block("CRAWL", [`users: [ { nkey: ${text(clientKey)}, ${PERMISSIONS} } ]`]),
    ]),
    block("cluster", clusterLines(settings)),
    "",
  ].join("\n");
}

const PERMISSIONS = 'permissions: { publish: ["trobar.>"], subscribe: ["trobar.>"] }';

function clusterLines(settings: ServerSettings): string[] {
  const { routesAt, advertise, password, join } = settings;
  const credentials = `${ROUTE_USER}:${encodeURIComponent(password)}`;
  const routes = join.map((peer) => text(`nats-route://${credentials}@${peer}`));
  return [
    line("name", MESH_NAME),
    line("listen", routesAt),
    ...(advertise === null ? [] : [line("advertise", advertise)]),
    // Clients stay with their own server: others listen on the loopback of other machines.
    "no_advertise: true",
    line("connect_retries", CONNECT_RETRIES),
    block("authorization", [line("user", ROUTE_USER), line("password", password)]),
    block("tls", [...tlsLines(settings), "insecure: true", line("timeout", 5)]),
    `routes: [ ${routes.join(", ")} ]`,
  ];
}

function tlsLines({ files, keyDigest }: ServerSettings): string[] {
  return [
    line("cert_file", files.certificate),
    line("key_file", files.key),
    // The certificate is its own authority.
    line("ca_file", files.certificate),
    "verify: true",
    `pinned_certs: [ ${text(keyDigest)} ]`,
  ];
}

function block(name: string, lines: readonly string[]): string {
  const inner = lines.flatMap((each) => each.split("\n")).map((each) => `  ${each}`);
  return `${name}: {\n${inner.join("\n")}\n}`;
}

function line(name: string, value: string | number): string {
  return `${name}: ${typeof value === "number" ? value : text(value)}`;
}

/** In quotes, in which only these two characters mean something else. */
function text(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}
