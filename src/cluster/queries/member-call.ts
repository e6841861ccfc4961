/**
 * One call to all members: each is asked until it has answered, is dead or given up, or as long as questions
 * are asked at all. Who comes while it is under way is not called.
 */
import type { Place, Replied } from "../messages/index.ts";
import type { Call } from "./call-server.ts";
import { type CallReply, QUERY_CALL } from "./query-messages.ts";
import { type AskParts, isThere, type Missing, whyMissing } from "./query-parts.ts";

export interface CallAnswer {
  readonly place: Place;
  readonly isDone: boolean;
  /** What came of it, or why it was refused. */
  readonly text: string;
  /** Of the refusal; empty if it was done. */
  readonly code: string;
}

export interface Called {
  readonly answers: readonly CallAnswer[];
  readonly missing: readonly Missing[];
}

export class MemberCall {
  readonly #parts: AskParts;
  readonly #id: string;
  readonly #call: Call;
  readonly #done: (called: Called) => void;
  readonly #answers: CallAnswer[] = [];
  readonly #missing: Missing[] = [];
  #open = 0;

  /** `id` is used for no other call; `done` is called once, never inside `begin`. */
  constructor(parts: AskParts, id: string, call: Call, done: (called: Called) => void) {
    this.#parts = parts;
    this.#id = id;
    this.#call = call;
    this.#done = done;
  }

  begin(): void {
    const { view, clock } = this.#parts;
    for (const { place, standing } of view.members()) {
      if (standing === "given-up") continue;
      this.#open += 1;
      if (isThere(standing)) this.#ask(place, 1);
      else clock.after(0, () => this.#lacks({ place, why: "dead" }));
    }
  }

  #ask(place: Place, tries: number): void {
    const { messenger, settings, clock } = this.#parts;
    const { timeoutMs, triesMax, retryMs } = settings;
    const question = { body: { id: this.#id, ...this.#call }, timeoutMs };
    messenger.ask(place, QUERY_CALL, question, (replied) => {
      if (isOver(replied)) this.#answered(place, replied.body);
      else if (tries >= triesMax) {
        this.#lacks({ place, why: whyMissing(this.#parts, place, replied) });
      } else clock.after(retryMs, () => this.#ask(place, tries + 1));
    });
  }

  #answered(place: Place, { outcome, text, code }: CallReply): void {
    this.#answers.push({ place, isDone: outcome === "done", text, code });
    this.#over();
  }

  #lacks(missing: Missing): void {
    this.#missing.push(missing);
    this.#over();
  }

  #over(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#done({ answers: this.#answers, missing: this.#missing });
  }
}

function isOver(
  replied: Replied<CallReply>,
): replied is Extract<Replied<CallReply>, { kind: "reply" }> {
  return replied.kind === "reply" && replied.body.outcome !== "busy";
}
