/**
 * One end of a channel between two threads, as the mechanics see it. Messages arrive in the order in
 * which they were posted, each once, and never inside a call of the other end's `post`.
 */
export interface Port<Posted, Received> {
  /** `moved` is transferred: it can no longer be used on this side. */
  post(message: Posted, moved?: ArrayBuffer): void;
  /** Set once; messages that came before wait for it. */
  listen(listener: (message: Received) => void): void;
  /** Nothing arrives any more on either side. */
  close(): void;
}

/** To the consumers' side of a lane: encoded blocks, or `null` when all producers are done. */
export type LaneLoad = ArrayBuffer | null;

/** To the producers' side: so many items were taken, and their room can be used again. */
export type LaneCredit = number;
