/**
 * Where connections come from, as the server's logic sees it: one port, on as many loopback
 * addresses as are asked for. The real one is `loopback-listener.ts`.
 */
import type { Wire, WireUser } from "./wire.ts";

export interface Listener {
  readonly port: number;

  /** Every connection from now on goes to `accept`; null refuses it. */
  serve(accept: (wire: Wire) => WireUser | null): void;

  /**
   * Listens on a loopback address too, and tells whether that succeeded; inside this call if it
   * listens already.
   */
  listenOn(address: string, done: (isListening: boolean) => void): void;

  readonly addressCount: number;

  /** Stops listening. Open connections are not touched. */
  close(): Promise<void>;
}
