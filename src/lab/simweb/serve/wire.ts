/**
 * One connection as the server's logic sees it: bytes come, bytes go, it ends. The real one is a
 * socket on loopback; tests use one that remembers. Nothing below knows of sockets, so everything
 * that a server of the synthetic web does can be tried in simulated time.
 */
export interface Wire {
  /** The loopback address that the client connected to. */
  readonly address: string;

  /**
   * Sends a head and a body as one. True when the network took all of it at once; otherwise
   * `drained` is called when it has, and nothing may be sent until then.
   */
  send(head: string, body: Uint8Array): boolean;

  /** Closes in an orderly way, after everything sent. */
  end(): void;

  /** Breaks off at once, so that the client sees a reset. */
  reset(): void;

  /** Takes no more bytes from the client until `resume`. */
  pause(): void;
  resume(): void;
}

/** The user of a wire. After `closed` it is not called any more. */
export interface WireUser {
  received(bytes: Buffer): void;
  drained(): void;
  /** The client will send no more. */
  halfClosed(): void;
  closed(): void;
}
