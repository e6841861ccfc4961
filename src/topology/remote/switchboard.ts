/**
 * Brings frames that arrive by one transport to the connectors that they are for. What is no frame, or
 * for nobody here, is refused, counted, and told now and then.
 */
import assert from "node:assert/strict";
import { CrawlError } from "../../base/errors/index.ts";
import type { Transport } from "../../base/transport/index.ts";
import { shortName } from "./frame-sense.ts";
import {
  decodeFrame,
  encodeAnswer,
  FRAME_KIND,
  type Frame,
  type FrameAnswer,
} from "./remote-frame.ts";

export type Respond = (answer: FrameAnswer) => void;
export type FrameListener = (frame: Frame, respond: Respond) => void;

export class Switchboard {
  readonly #listeners = new Map<string, FrameListener>();
  readonly #report: (error: CrawlError) => void;
  #malformed = 0;

  /** Serves all frames that arrive by this transport. */
  constructor(transport: Transport, report: (error: CrawlError) => void) {
    this.#report = report;
    transport.serve(FRAME_KIND, (from, body, respond) => {
      const answer = (given: FrameAnswer): void => respond(encodeAnswer(given));
      const frame = decodeFrame(body);
      if (frame === null) this.#refuse(from, answer);
      else this.#pass(frame, answer);
    });
  }

  /** How many messages were no frames. */
  get malformed(): number {
    return this.#malformed;
  }

  connect(connector: string, listener: FrameListener): void {
    assert(!this.#listeners.has(connector), `the connector ${connector} receives here already`);
    this.#listeners.set(connector, listener);
  }

  disconnect(connector: string): void {
    this.#listeners.delete(connector);
  }

  #pass(frame: Frame, answer: Respond): void {
    const listener = this.#listeners.get(frame.connector);
    if (listener !== undefined) listener(frame, answer);
    else {
      const reason = `there is no connector ${shortName(frame.connector)} that receives here`;
      answer({ kind: "refused", at: 0, reason });
    }
  }

  #refuse(from: string, answer: Respond): void {
    this.#malformed += 1;
    if (isTold(this.#malformed)) {
      const message =
        `${this.#malformed} messages, the last from ${shortName(from)}, are not frames of a connector of this ` +
        "version. Run the same version at both ends.";
      this.#report(new CrawlError("TOPOLOGY_ITEM_MALFORMED", message, { from }));
    }
    answer({ kind: "refused", at: 0, reason: "it is not a frame of this version" });
  }
}

/** For what may happen any number of times: the first, second, fourth, eighth… is told. */
export function isTold(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}
