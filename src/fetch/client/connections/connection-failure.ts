/**
 * What can go wrong with a connection, as one table: the codes of the system on the left, our code
 * and a sentence on the right. An error that is not listed gets the code of the phase in which it
 * occurred.
 */
import type { ErrorCode, ErrorFacts } from "../../../base/errors/index.ts";

/** Why a connection could not be opened or was lost; the exchange adds the URL. */
export interface ConnectionFailure {
  readonly code: ErrorCode;
  /** The end of a sentence. */
  readonly why: string;
  readonly facts: ErrorFacts;
}

export type ConnectionPhase = "connecting" | "established";

const NO_SOCKET = "FETCH_NO_SOCKET";
const NO_WAY = "FETCH_CONNECT_FAILED";
const LOST = "FETCH_DISCONNECTED";

/** System error -> code while connecting, code afterwards, why. */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [ErrorCode, ErrorCode, string]>> = {
  EMFILE: [NO_SOCKET, NO_SOCKET, "this process has no file descriptor left"],
  ENFILE: [NO_SOCKET, NO_SOCKET, "this machine has no file descriptor left"],
  ENOBUFS: [NO_SOCKET, NO_SOCKET, "this machine has no memory left for sockets"],
  ENOMEM: [NO_SOCKET, NO_SOCKET, "this machine has no memory left for sockets"],
  EADDRNOTAVAIL: [NO_SOCKET, NO_SOCKET, "this machine has no local port or address left for it"],
  EADDRINUSE: [NO_SOCKET, NO_SOCKET, "this machine has no local port left for it"],
  EAFNOSUPPORT: [NO_WAY, LOST, "this machine does not support this kind of address"],
  EACCES: [NO_WAY, LOST, "this machine does not allow the connection"],
  EPERM: [NO_WAY, LOST, "this machine does not allow the connection"],
  EINVAL: [NO_WAY, LOST, "the address cannot be connected to"],
  ECONNREFUSED: [NO_WAY, LOST, "nothing accepts connections there"],
  ECONNABORTED: [NO_WAY, LOST, "the connection was aborted"],
  ECONNRESET: [NO_WAY, LOST, "the server reset the connection"],
  EPIPE: [NO_WAY, LOST, "the server reset the connection"],
  EHOSTDOWN: [NO_WAY, LOST, "the host is down"],
  EHOSTUNREACH: [NO_WAY, LOST, "there is no route to the host"],
  ENETDOWN: [NO_WAY, LOST, "the network is down"],
  ENETUNREACH: [NO_WAY, LOST, "there is no route to its network"],
  ETIMEDOUT: [NO_WAY, LOST, "the system gave up waiting for the host"],
};

/** An error of Node; `certificate` says what was wrong with the certificate, if that was it. */
export interface SocketError {
  readonly code: string;
  readonly message: string;
  readonly certificate: string | null;
}

export function connectionFailure(error: SocketError, phase: ConnectionPhase): ConnectionFailure {
  const facts = { system: error.code };
  if (error.certificate !== null) {
    const reason = error.certificate;
    const why = `its certificate does not verify (${reason})`;
    return { code: "FETCH_TLS_CERTIFICATE", why, facts: { reason } };
  }
  const listed = SYSTEM_ERRORS[error.code];
  if (listed !== undefined) {
    const [connecting, established, why] = listed;
    return { code: phase === "connecting" ? connecting : established, why, facts };
  }
  if (/^(?:ERR_SSL_|ERR_TLS_|EPROTO$|ERR_OSSL_)/.test(error.code)) {
    return { code: "FETCH_TLS_FAILED", why: `TLS failed (${error.code})`, facts };
  }
  const why = `the connection failed (${error.code === "" ? error.message : error.code})`;
  return { code: phase === "connecting" ? NO_WAY : LOST, why, facts };
}

/** The server closed properly, but too early. */
export const CLOSED_EARLY: ConnectionFailure = {
  code: LOST,
  why: "the server closed the connection before its answer was complete",
  facts: {},
};
