/**
 * The one place where sockets are opened. A wire is a TCP connection, in the clear or under TLS,
 * whose bytes go to its current listener: first to the dialing (a proxy's tunnel, a handshake), then
 * to the HTTP connection.
 *
 * All wires read into one buffer, which saves an allocation and a stream event for every read: the
 * listener takes what it needs inside the call. A profile of pages of 25 kB, four to a connection,
 * has five sixths of its time in system calls, Node's sockets and the collection of their garbage;
 * only opening fewer connections would help. Every event of a socket becomes one of the listener's
 * calls; no error event is unhandled, and after `close` nothing is called. What a listener throws is
 * passed to its `faulted`, so that it ends one exchange and not the process.
 */
import { constants } from "node:crypto";
import { createRequire } from "node:module";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import type { ConnectionOptions, PeerCertificate, SecureContext, TLSSocket } from "node:tls";
import type { SocketError } from "./connection-failure.ts";

const require = createRequire(import.meta.url);
/** Loaded when it is needed: for a process that fetches little it is a good part of the start. */
const tlsOfNode = (): typeof import("node:tls") => require("node:tls");

/** For connections that take the socket over. */
export type WireSocket = Socket;

export interface WireListener {
  /** Connected; under TLS, when the handshake is done and the certificate accepted. */
  opened(): void;
  /** The first `lengthBytes` bytes are new, until the call returns. False pauses the wire. */
  received(bytes: Buffer, lengthBytes: number): boolean;
  /** The other side will send nothing more. */
  ended(): void;
  broke(error: SocketError): void;
  /**
   * One of the calls above threw. The listener ends what the wire is used for, or rethrows if the
   * wire is not in use.
   */
  faulted(thrown: unknown): void;
}

export interface TlsTerms {
  readonly context: SecureContext;
  /** The name that the certificate must be for; an IPv6 address without brackets. */
  readonly host: string;
  readonly isVerified: boolean;
  /** Offered, the preferred one first: `h2`, `http/1.1`. */
  readonly protocols: readonly string[];
}

export interface WirePlace {
  /** An address; a name only for a proxy that the user configured. */
  readonly host: string;
  readonly port: number;
  readonly tls: TlsTerms | null;
}

/**
 * Shared by all connections: making one costs more than a handshake. A server's request for another
 * handshake is ignored: nothing that a crawler asks for needs one, and a client that agrees can be
 * kept busy with handshakes.
 */
export function trustedContext(): SecureContext {
  return tlsOfNode().createSecureContext({ secureOptions: constants.SSL_OP_NO_RENEGOTIATION });
}

/** Whether this text is an address, not a name that would have to be resolved. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

export class Wire {
  listener: WireListener;
  readonly #buffer: Buffer;
  #socket: Socket;
  /** The same socket, under TLS. */
  #secured: TLSSocket | null = null;
  #isOver = false;

  constructor(place: WirePlace, buffer: Buffer, listener: WireListener) {
    this.listener = listener;
    this.#buffer = buffer;
    const { host, port, tls } = place;
    const options = { host, port, noDelay: true, onread: this.#onread() };
    if (tls === null) this.#socket = connectPlain(options);
    else {
      this.#secured = tlsOfNode().connect({ ...options, ...tlsOptions(tls) });
      this.#socket = this.#secured;
    }
    this.#hear(tls);
  }

  /** Puts TLS on a wire that leads through a tunnel; `opened` is called again. */
  secure(tls: TlsTerms): void {
    this.#secured = tlsOfNode().connect({ ...tlsOptions(tls), socket: this.#socket });
    this.#socket = this.#secured;
    this.#socket.on("data", (bytes: Buffer) => {
      if (!this.#receive(bytes, bytes.length)) this.#socket.pause();
    });
    this.#hear(tls);
  }

  /** The protocol that was agreed on in the handshake, if any. */
  get protocol(): string | null {
    return this.#secured?.alpnProtocol || null;
  }

  /** Latin1 text. */
  write(text: string): void {
    this.#socket.write(text, "latin1");
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Hands the socket over: the wire does nothing more with it. */
  handOver(): Socket {
    this.#isOver = true;
    return this.#socket;
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroy();
  }

  /** A socket that TLS was put on, or that was handed over, is no longer listened to. */
  #hear(tls: TlsTerms | null): void {
    const socket = this.#socket;
    const isVerified = tls?.isVerified === true;
    const isOurs = () => !this.#isOver && socket === this.#socket;
    // Node reports every handshake of a socket, a renegotiated one too.
    socket.once(tls === null ? "connect" : "secureConnect", () => {
      if (isOurs()) this.#tell(() => this.listener.opened());
    });
    socket.on("end", () => {
      if (isOurs()) this.#tell(() => this.listener.ended());
    });
    socket.on("error", (error) => {
      if (isOurs()) this.#tell(() => this.#break(socket, error, isVerified));
    });
    socket.on("close", () => {
      if (isOurs()) this.#tell(() => this.#break(socket, CLOSED, isVerified));
    });
  }

  #onread(): { buffer: Buffer; callback: (lengthBytes: number) => boolean } {
    return {
      buffer: this.#buffer,
      callback: (lengthBytes) => this.#receive(this.#buffer, lengthBytes),
    };
  }

  #receive(bytes: Buffer, lengthBytes: number): boolean {
    if (this.#isOver) return false;
    try {
      const goesOn = this.listener.received(bytes, lengthBytes);
      return goesOn && !this.#isOver;
    } catch (thrown) {
      this.listener.faulted(thrown);
      return false;
    }
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch (thrown) {
      this.listener.faulted(thrown);
    }
  }

  #break(socket: Socket, error: Error, isVerified: boolean): void {
    this.#isOver = true;
    socket.destroy();
    const code = "code" in error ? String(error.code) : "";
    // Where certificates are not verified, a bad one is not what broke the wire.
    const secured = isVerified && socket === this.#secured ? this.#secured : null;
    const certificate = secured === null ? null : certificateProblem(secured);
    this.listener.broke({ code, message: error.message, certificate });
  }
}

const CLOSED: Error = Object.assign(new Error("closed"), { code: "ECONNRESET" });

/** Why the handshake rejected the certificate, in the words of OpenSSL or Node. */
function certificateProblem(socket: TLSSocket): string | null {
  const problem: unknown = socket.authorizationError;
  return problem === null || problem === undefined ? null : String(problem);
}

function tlsOptions(tls: TlsTerms): ConnectionOptions {
  const { context, host, isVerified, protocols } = tls;
  return {
    secureContext: context,
    // Only a name may be sent as the server name; the certificate must be for either.
    servername: isAddress(host) ? "" : host,
    checkServerIdentity: (_, certificate) => identityProblem(host, certificate),
    rejectUnauthorized: isVerified,
    ALPNProtocols: [...protocols],
  };
}

/** Whatever is in a certificate, the check does not throw. */
function identityProblem(host: string, certificate: PeerCertificate): Error | undefined {
  try {
    return tlsOfNode().checkServerIdentity(host, certificate);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
