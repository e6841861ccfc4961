/**
 * What a transport that needs a server can be asked besides. It names no type of the client, whose
 * declarations do not pass the stricter checks of programs that use this package.
 */
import type { Transport } from "../transport.ts";

/**
 * Why a message was not taken: it is longer than a message may be, its subject names no agent as its
 * sender, or it replies to nothing that is open, be it too late or never asked.
 */
export type TransportRefusal = "too-large" | "sender" | "unasked";

/** A transport that needs a server, and may have none for a while. */
export interface ServedTransport extends Transport {
  /** Whether it has a server at present. */
  readonly isConnected: boolean;
  /** How many messages were not taken, by reason. */
  readonly refused: ReadonlyMap<TransportRefusal, number>;
}
