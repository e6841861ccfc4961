/**
 * Carries out what other agents call for, each call once: who has heard no answer calls again with the same
 * id, and is told what came of the first one.
 *
 * Answers are kept for that, the last ones that fit into a bounded space. A long one that has made room for
 * others is not to be had any more; what it was about is not done again.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";
import { MIB } from "../../base/units/index.ts";
import type { Messenger } from "../messages/index.ts";
import { type CallReply, QUERY_CALL } from "./query-messages.ts";

/** What every member is to do, or to say: `what` is a name such as `retry`, `argument` what it is about. */
export interface Call {
  readonly what: string;
  readonly argument: string;
}

/** Answers once, with a text that fits into a message; an error is a refusal. */
export type CarryOut = (call: Call, done: Done<string>) => void;

/** Calls that are known to be over: one that comes again later than that is carried out again. */
const KEPT_MAX = 2000;
/** What these take in memory, at most. The longest answer takes 2 MiB. */
const KEPT_BYTES_MAX = 16 * MIB;
/** Answers up to this length are kept as long as their calls. */
const SHORT_LENGTH_MAX = 1000;
const CHARACTER_BYTES = 2;

const BUSY: CallReply = { outcome: "busy", text: "", code: "" };

/** What is known of a call: who waits for its end, or how it ended. */
interface Carried {
  readonly waiting: ((reply: CallReply) => void)[];
  reply: CallReply | null;
}

export class CallServer {
  readonly #carryOut: () => CarryOut | null;
  readonly #calls = new Map<string, Carried>();
  /** Of the calls that are over. */
  #bytes = 0;

  /** `carryOut` is null until there is somebody who can. */
  constructor(messenger: Pick<Messenger, "serve">, carryOut: () => CarryOut | null) {
    this.#carryOut = carryOut;
    messenger.serve(QUERY_CALL, (_from, { id, ...call }, respond) => this.#take(id, call, respond));
  }

  /** What answers take that are kept. */
  get keptBytes(): number {
    return this.#bytes;
  }

  #take(id: string, call: Call, respond: (reply: CallReply) => void): void {
    const carryOut = this.#carryOut();
    const known = this.#calls.get(id);
    if (known !== undefined) {
      if (known.reply === null) known.waiting.push(respond);
      else respond(known.reply);
    } else if (carryOut === null) respond(BUSY);
    else {
      const carried: Carried = { waiting: [respond], reply: null };
      this.#calls.set(id, carried);
      carryOut(call, (error, text) => {
        carried.reply = error === null ? { outcome: "done", text, code: "" } : refusal(error);
        for (const tell of carried.waiting.splice(0)) tell(carried.reply);
        this.#bytes += bytesOf(id, carried.reply);
        this.#forget();
      });
    }
  }

  /** The oldest of those that are over: first how they ended, if that is long, then that they were there. */
  #forget(): void {
    for (const [id, carried] of this.#calls) {
      if (this.#bytes <= KEPT_BYTES_MAX) break;
      const { reply } = carried;
      if (reply === null || reply.text.length <= SHORT_LENGTH_MAX) continue;
      carried.reply = refusal(forgotten());
      this.#bytes += bytesOf(id, carried.reply) - bytesOf(id, reply);
    }
    for (const [id, { reply }] of this.#calls) {
      if (this.#calls.size <= KEPT_MAX && this.#bytes <= KEPT_BYTES_MAX) return;
      if (reply === null) continue;
      this.#calls.delete(id);
      this.#bytes -= bytesOf(id, reply);
    }
  }
}

function bytesOf(id: string, { text, code }: CallReply): number {
  return CHARACTER_BYTES * (id.length + text.length + code.length);
}

function forgotten(): CrawlError {
  return new CrawlError(
    "CLUSTER_ANSWER_MISSING",
    "The agent has answered, which was not heard, and keeps its answer no longer. Ask once more.",
  );
}

function refusal({ code, message }: CrawlError): CallReply {
  return { outcome: "refused", text: message, code };
}
