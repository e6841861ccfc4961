/**
 * What a managed server says in its log about connections that came to nothing. It has no other way to tell
 * (its monitoring port would be one more door), so its lines are read. They are those of 2.9.10 and later;
 * a test makes the installed version say most of them. A line that is not understood is nothing.
 */

/**
 * Why the server has turned away whoever wanted in, or cut off whoever was in: no TLS at all, no
 * certificate or another than that of the token, a handshake that did not come to its end, no password or
 * key within its time or a wrong one, a message that is longer than `max_payload`, bytes that are not the protocol.
 */
export type ConnectionRefusal =
  | "plain"
  | "certificate"
  | "handshake"
  | "login"
  | "too-large"
  | "malformed";

/**
 * What is wrong at an address that the server was to join: agents with another token, something else than
 * a server of agents, or nobody who answers.
 */
export type PeerTrouble = "token" | "stranger" | "silent";

export type ServerWord =
  | { readonly kind: "refused"; readonly why: ConnectionRefusal }
  /** One that it was to join answers; whether it lets this server in is not known yet. */
  | { readonly kind: "reached"; readonly at: string }
  /**
   * `at`: `HOST:PORT`, where the host may be the address of one that was named; the name alone if it has no
   * address. An agent that was heard of
   * from another, and is silent, is nothing new: membership tells of it.
   */
  | {
      readonly kind: "peer";
      readonly at: string;
      readonly trouble: PeerTrouble;
      readonly words: string;
    };

const ERROR = /^\[\d+\] \S+ \S+ \[ERR\] (.*)$/;
/** Not an error to the server. */
const MUTE = /^\[\d+\] \S+ \S+ \[INF\] \S+ - [cr]id:\d+ - .* closed: Authentication Timeout$/;
const REACHED = /^\[\d+\] \S+ \S+ \[INF\] (\S+) - rid:\d+ - Route connection created$/;
const OF_CONNECTION = /^(\S+) - ([cr])id:\d+ - (.*)$/;
const NO_CONNECTION = /^Error trying to connect to route \(attempt \d+\): (.*)$/;
const DIALLED = /\b(?:dial tcp|lookup for host) "?([^\s"]+?)"?: /;

const REFUSALS: readonly (readonly [RegExp, ConnectionRefusal])[] = [
  [/TLS .*handshake error: tls: first record does not look like a TLS handshake/, "plain"],
  [/TLS .*handshake error: .*certificate/, "certificate"],
  [/TLS .*handshake (?:error|timeout)/, "handshake"],
  [/authentication error/, "login"],
  [/maximum (?:payload|control line)/i, "too-large"],
  [/parser error/i, "malformed"],
];

const TROUBLES: readonly (readonly [RegExp, PeerTrouble])[] = [
  [/certificate not pinned|'Authorization Violation'|remote error: tls: /, "token"],
  [/first record does not look like a TLS handshake/, "stranger"],
  [/TLS .*handshake (?:error|timeout)/, "silent"],
];

/** What a line of the log says; null for nothing of the kind. `join`: the `HOST:PORT` it was to join. */
export function wordIn(line: string, join: readonly string[]): ServerWord | null {
  if (MUTE.test(line)) return { kind: "refused", why: "login" };
  const [, reached] = REACHED.exec(line) ?? [];
  if (reached !== undefined)
    return isJoined(reached, join) ? { kind: "reached", at: reached } : null;
  const error = ERROR.exec(line)?.[1];
  if (error === undefined) return null;
  const [, failure] = NO_CONNECTION.exec(error) ?? [];
  if (failure !== undefined) {
    const at = DIALLED.exec(failure)?.[1] ?? "";
    return isJoined(at, join) ? { kind: "peer", at, trouble: "silent", words: failure } : null;
  }
  const [, at = "", whose, words = ""] = OF_CONNECTION.exec(error) ?? [];
  if (whose === "r" && isPeer(at, words, join)) {
    const trouble = firstOf(TROUBLES, words);
    return trouble === null ? null : { kind: "peer", at, trouble, words };
  }
  const why = firstOf(REFUSALS, words);
  return why === null ? null : { kind: "refused", why };
}

/**
 * Whether this server has made the connection. Those that others make come from ports that are not the ones
 * they listen at; and some words are said only by the side that has made it.
 */
function isPeer(at: string, words: string, join: readonly string[]): boolean {
  return /certificate not pinned|^Route Error/.test(words) || isJoined(at, join);
}

/** Or, where others are joined by name, may be: the log has the addresses of those. */
function isJoined(at: string, join: readonly string[]): boolean {
  const port = /:\d+$/.exec(at)?.[0] ?? "no port";
  return join.some((peer) => {
    const isAddress = /^(?:[\d.]+|\[.*\]):\d+$/.test(peer);
    return isAddress ? peer === at : peer.endsWith(port) || peer.startsWith(`${at}:`);
  });
}

function firstOf<Meaning>(
  table: readonly (readonly [RegExp, Meaning])[],
  words: string,
): Meaning | null {
  return table.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}
