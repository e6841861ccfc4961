/** How long fetches may take, and how long agents wait for each other. */
export interface SlotSettings {
  /** From the end of one fetch of an address to the beginning of the next; 0 for no slots at all. */
  readonly ipDelayMs: number;
  /** No fetch takes longer. */
  readonly totalTimeoutMs: number;
  /** A granter waits no longer for a member that it has not heard for so long. */
  readonly deadAfterMs: number;
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
  /** From a refusal to the next try. */
  readonly retryMs: number;
  /** An address that was not used for so long is forgotten. */
  readonly forgetMs: number;
}
