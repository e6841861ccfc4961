/**
 * A route: one method of one path, with all that its description says and the server checks, and what
 * it does. The table of routes is the one source of both the server and the OpenAPI description.
 */
import type { ControlledCrawl } from "../../agent/index.ts";
import type { Schema } from "../description/schema.ts";

export type Method = "GET" | "POST" | "PATCH";

/** A value in a path or a query; always read from text. */
export interface Parameter {
  readonly meaning: string;
  /** A text, or a whole number. */
  readonly schema: Schema;
  readonly isRequired?: boolean;
  /** For the description and the tests. */
  readonly example: string;
}

/** A request whose form has been checked. */
export interface Asked {
  readonly control: ControlledCrawl;
  /** Decoded, by the names in the path. */
  readonly path: Readonly<Record<string, string>>;
  /** What was given of the parameters. */
  readonly query: Readonly<Record<string, string>>;
  /** Of the form that the route has for its body; undefined where it has none. */
  readonly body: unknown;
}

export type Reply = JsonReply | BytesReply | EventsReply;

interface JsonReply {
  readonly status: number;
  readonly body: unknown;
}

interface BytesReply {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Server-sent events. */
interface EventsReply {
  readonly status: 200;
  /** Called once; what it returns ends it. */
  readonly listen: (send: (kind: string, data: unknown) => void) => () => void;
}

export interface ReplyDescription {
  readonly meaning: string;
  /** Of the body; null for a refusal, which all routes have in common. */
  readonly schema: Schema | null;
  /** The media type, if it is not JSON. */
  readonly type?: string;
}

export interface Route {
  readonly method: Method;
  /** Below the prefix of the API, with names in braces: `/units/{id}`. */
  readonly path: string;
  /** Stable: clients that are made from the description use it as a name. */
  readonly id: string;
  readonly summary: string;
  /** `open` needs no token; a token that may only read is enough for `read`. */
  readonly access: "open" | "read" | "write";
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: { readonly schema: Schema; readonly example: unknown };
  /** By status; refusals that every route has are left out. */
  readonly replies: Readonly<Record<number, ReplyDescription>>;
  readonly handle: (asked: Asked) => Reply | Promise<Reply>;
}
