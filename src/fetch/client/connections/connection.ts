/**
 * A connection to a server, whatever version of HTTP it speaks: it carries one exchange at a time and
 * is idle in the pool in between. Its user either waits for the end of the answer, after which the
 * connection is back in the pool or closed, or closes it.
 */

import type { Header, SentRequest } from "../../../base/seams/index.ts";
import type { AnswerTaker } from "../../../formats/http/index.ts";
import type { HttpTarget, Place } from "../exchange/http-target.ts";
import type { ConnectionFailure } from "./connection-failure.ts";

/** A request, checked and written. */
export interface OutgoingRequest {
  readonly target: HttpTarget;
  readonly headers: readonly Header[];
  /** The same without credentials, for the archive. */
  readonly shownHeaders: readonly Header[];
  /** The head for HTTP/1.1, as latin1 text. */
  readonly text: string;
  /** The same without credentials, for the archive. */
  readonly shownText: string;
  readonly headerBytesMax: number;
}

export interface Connection {
  readonly place: Place;
  readonly protocol: SentRequest["protocol"];
  send(request: OutgoingRequest, user: ConnectionUser): void;
  /** Continues after `takeBody` returned false. */
  resume(): void;
  /** Ends it at once; the user is not called any more. */
  close(): void;
}

/** The exchange that uses a connection. The body arrives in pieces, as `AnswerTaker` says. */
export interface ConnectionUser extends AnswerTaker {
  /** The answer is complete, and the connection no longer belongs to the user. */
  answered(): void;
  /** The connection is lost. */
  failed(failure: ConnectionFailure): void;
  /** Something threw while the connection worked for the user; it is closed. */
  faulted(thrown: unknown): void;
}

/** Where connections belong: the pool. */
export interface ConnectionHome {
  /** It can be used again; `keepAliveMs` is how long the server keeps it, if that is known. */
  released(connection: Connection, keepAliveMs: number | null): void;
  /** One that was open, or being opened, is closed. */
  lost(connection: Connection | null): void;
}
