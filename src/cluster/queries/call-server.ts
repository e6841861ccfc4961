/**
 * Carries out what other agents call for, each call once: who has heard no answer calls again with the same
 * id, and is told what came of the first one.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";
import type { Messenger } from "../messages/index.ts";
import { type CallReply, QUERY_CALL } from "./query-messages.ts";

/** What every member is to do, or to say: `what` is a name such as `retry`, `argument` what it is about. */
export interface Call {
  readonly what: string;
  readonly argument: string;
}

/** Answers once, with a text that fits into a message; an error is a refusal. */
export type CarryOut = (call: Call, done: Done<string>) => void;

/** Answers that are kept for those who call again. */
const KEPT_MAX = 200;

const BUSY: CallReply = { outcome: "busy", text: "", code: "" };

/** What is known of a call: who waits for its end, or how it ended. */
interface Carried {
  readonly waiting: ((reply: CallReply) => void)[];
  reply: CallReply | null;
}

export class CallServer {
  readonly #carryOut: () => CarryOut | null;
  readonly #calls = new Map<string, Carried>();

  /** `carryOut` is null until there is somebody who can. */
  constructor(messenger: Pick<Messenger, "serve">, carryOut: () => CarryOut | null) {
    this.#carryOut = carryOut;
    messenger.serve(QUERY_CALL, (_from, { id, ...call }, respond) => this.#take(id, call, respond));
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
        this.#forget();
      });
    }
  }

  /** The oldest of those that are over. */
  #forget(): void {
    for (const [id, { reply }] of this.#calls) {
      if (this.#calls.size <= KEPT_MAX) return;
      if (reply !== null) this.#calls.delete(id);
    }
  }
}

function refusal({ code, message }: CrawlError): CallReply {
  return { outcome: "refused", text: message, code };
}
