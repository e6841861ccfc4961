/**
 * A connection to a server, whichever version of HTTP is spoken on it: it carries one exchange at a
 * time and lies idle in the pool between two. Whoever has it either lets it finish the answer, after
 * which it has gone back to the pool or is closed, or closes it.
 */

import type { Header, SentRequest } from "../../base/seams/index.ts";
import type { AnswerTaker } from "../../formats/http/index.ts";
import type { ConnectionFailure } from "./connection-failure.ts";
import type { HttpTarget, Place } from "./http-target.ts";

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
  /** Goes on after `takeBody` answered false. */
  resume(): void;
  /** Ends it at once; the user hears nothing more. */
  close(): void;
}

/** The exchange that has a connection. The body's bytes come in pieces as `AnswerTaker` says. */
export interface ConnectionUser extends AnswerTaker {
  /** The answer is whole, and the connection no longer the user's. */
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
  /** One that was open, or was to be opened, is no more. */
  lost(connection: Connection | null): void;
}
