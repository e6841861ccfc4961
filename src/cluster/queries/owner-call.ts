/**
 * One call to the owner of a host, whoever that is by then: it is asked until it has answered. Nobody else
 * can answer in its place, so it is waited for, while it is dead too, until others own its hosts.
 */
import type { Timer } from "../../base/seams/index.ts";
import type { Replied } from "../messages/index.ts";
import type { RingKey } from "../ring/index.ts";
import type { Call } from "./call-server.ts";
import { type CallReply, QUERY_CALL } from "./query-messages.ts";
import { type AskParts, whyGone } from "./query-parts.ts";

export class OwnerCall {
  readonly #parts: AskParts;
  readonly #id: string;
  readonly #call: Call;
  readonly #host: RingKey;
  readonly #done: (text: string) => void;
  /** Counts refusals: whoever has refused is called anew. */
  #refusals = 0;
  #timer: Timer | null = null;
  #isClosed = false;

  /** `id` is used for no other call; `done` is called once, never inside `begin`, unless it is closed. */
  constructor(
    parts: AskParts,
    { id, host, ...call }: Call & { readonly id: string; readonly host: RingKey },
    done: (text: string) => void,
  ) {
    this.#parts = parts;
    this.#id = id;
    this.#call = call;
    this.#host = host;
    this.#done = done;
  }

  begin(): void {
    this.#timer = null;
    const { view, messenger, settings } = this.#parts;
    const owner = view.ownerOf(this.#host);
    const place = owner === null ? null : view.placeOf(owner);
    if (place === null || whyGone(this.#parts, place) !== null) {
      this.#later(settings.pollMs);
      return;
    }
    const body = { id: `${this.#id}.${this.#refusals}`, ...this.#call };
    messenger.ask(place, QUERY_CALL, { body, timeoutMs: settings.timeoutMs }, (replied) => {
      if (!this.#isClosed) this.#replied(replied);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #replied(replied: Replied<CallReply>): void {
    const { retryMs, pollMs } = this.#parts.settings;
    const { outcome = "busy", text = "" } = replied.kind === "reply" ? replied.body : {};
    if (outcome === "done") {
      this.#isClosed = true;
      this.#done(text);
      return;
    }
    if (outcome === "refused") this.#refusals += 1;
    this.#later(outcome === "refused" ? pollMs : retryMs);
  }

  #later(waitMs: number): void {
    this.#timer = this.#parts.clock.after(waitMs, () => this.begin());
  }
}
