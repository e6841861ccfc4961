/**
 * Server-sent events to one reader. A reader that is slower than the crawl misses events and is told how
 * many; one that takes nothing for too long is cut off. So no reader holds the crawl up, or its memory.
 */
import type { Clock } from "../../base/seams/index.ts";
import { KIB, SECOND_MS } from "../../base/units/index.ts";

/** What it is written to: a response of HTTP. */
export interface EventSink {
  /** False while too much waits to be taken. */
  write(text: string): boolean;
  /** Bytes that wait to be taken. */
  readonly writableLength: number;
  destroy(): void;
}

const WAITING_BYTES_MAX = 256 * KIB;
const STUCK_MS_MAX = 30 * SECOND_MS;

export class EventStream {
  readonly #sink: EventSink;
  readonly #clock: Clock;
  #missed = 0;
  /** Since when nothing could be written; null while it can. */
  #stuckSinceMs: number | null = null;

  constructor(sink: EventSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
  }

  send(kind: string, data: unknown): void {
    if (this.#sink.writableLength > WAITING_BYTES_MAX) {
      this.#miss();
      return;
    }
    this.#stuckSinceMs = null;
    if (this.#missed > 0) {
      const missed = this.#missed;
      this.#missed = 0;
      this.#write("missed", { events: missed });
    }
    this.#write(kind, data);
  }

  /** JSON has no line ends of its own, so a text from the web cannot end an event. */
  #write(kind: string, data: unknown): void {
    this.#sink.write(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #miss(): void {
    this.#missed += 1;
    const nowMs = this.#clock.nowMs();
    this.#stuckSinceMs ??= nowMs;
    if (nowMs - this.#stuckSinceMs >= STUCK_MS_MAX) this.#sink.destroy();
  }
}
