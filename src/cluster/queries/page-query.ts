/**
 * One page, wherever it is (Q1): the owner of its host is asked, and answers with the page, or with the
 * place that has it, which is asked next. Pointers change while hosts change hands, so a question that
 * goes from place to place for too long gives up, and says whom it was sent to last.
 */
import { type Place, placeText, type Replied } from "../messages/index.ts";
import type { RingKey } from "../ring/index.ts";
import { type PageReply, QUERY_PAGE } from "./query-messages.ts";
import { type AskParts, type Missing, whyGone, whyMissing } from "./query-parts.ts";

/** After the owner: whom it names, and whom that one does while copies are being hidden. */
const HOPS_MAX = 4;

export type PageAnswer =
  | {
      readonly kind: "page";
      readonly holder: Place;
      readonly totalBytes: number;
      /** Reads it in parts; the next one is asked for when the last was taken. */
      readonly read: (each: (bytes: Uint8Array) => Promise<void> | void) => Promise<PageEnd>;
    }
  /** The owner says so, or the last place that was asked. */
  | { readonly kind: "absent"; readonly by: Place }
  /** Nobody knows who could not be asked. */
  | { readonly kind: "unknown"; readonly missing: readonly Missing[] };

/** `changed`: it was fetched again meanwhile, and what was read is of the earlier one. */
export type PageEnd =
  | { readonly kind: "whole" }
  | { readonly kind: "changed" }
  | { readonly kind: "cut"; readonly missing: Missing };

type Part = PageReply | Missing;

export class PageQuery {
  readonly #parts: AskParts;
  readonly #url: string;
  readonly #answered: (answer: PageAnswer) => void;
  readonly #asked = new Set<string>();

  constructor(parts: AskParts, url: string, answered: (answer: PageAnswer) => void) {
    this.#parts = parts;
    this.#url = url;
    this.#answered = answered;
  }

  begin(host: RingKey): void {
    const { view, clock } = this.#parts;
    const owner = view.ownerOf(host);
    const place = owner === null ? null : view.placeOf(owner);
    if (place !== null) this.#follow(place);
    else clock.after(0, () => this.#answered({ kind: "unknown", missing: [] }));
  }

  #follow(place: Place): void {
    const text = placeText(place);
    if (this.#asked.has(text) || this.#asked.size > HOPS_MAX) {
      // In a circle: the hosts and copies it is about are changing hands.
      this.#answered({ kind: "unknown", missing: [{ place, why: "failed" }] });
      return;
    }
    this.#asked.add(text);
    this.#part(place, 0, (part) => {
      if ("why" in part) this.#answered({ kind: "unknown", missing: [part] });
      else if (part.outcome === "elsewhere" && part.place !== null) this.#follow(part.place);
      else if (part.outcome === "part") this.#answered(this.#page(place, part));
      else this.#answered({ kind: "absent", by: place });
    });
  }

  #page(holder: Place, first: PageReply): PageAnswer {
    const { totalBytes, stamp } = first;
    const next = (from: number): Promise<Part> =>
      new Promise((resolve) => this.#part(holder, from, resolve));
    return {
      ...{ kind: "page", holder, totalBytes },
      read: async (each) => {
        let from = 0;
        let part: Part = first;
        while (true) {
          if ("why" in part) return { kind: "cut", missing: part };
          if (part.outcome !== "part" || part.stamp !== stamp) return { kind: "changed" };
          from += part.bytes.byteLength;
          await each(part.bytes);
          if (from >= totalBytes) return { kind: "whole" };
          part = await next(from);
        }
      },
    };
  }

  /** Asks until there is an answer, or too often. */
  #part(place: Place, from: number, done: (part: Part) => void, tries = 1): void {
    const { messenger, settings, clock } = this.#parts;
    const { timeoutMs, triesMax, retryMs, partBytes: bytesMax } = settings;
    const question = { body: { url: this.#url, from, bytesMax }, timeoutMs };
    messenger.ask(place, QUERY_PAGE, question, (replied) => {
      if (isAnswer(replied)) done(replied.body);
      else if (tries >= triesMax || whyGone(this.#parts, place) !== null)
        done({ place, why: whyMissing(this.#parts, place, replied) });
      else clock.after(retryMs, () => this.#part(place, from, done, tries + 1));
    });
  }
}

function isAnswer(
  replied: Replied<PageReply>,
): replied is Extract<Replied<PageReply>, { kind: "reply" }> {
  if (replied.kind === "none") return false;
  return replied.body.outcome !== "busy" && replied.body.outcome !== "failed";
}
