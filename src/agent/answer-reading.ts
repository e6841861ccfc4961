/** What a crawl reads from answers beside their bodies: encodings, redirects, requests to wait. */
import {
  type ContentDecoder,
  type Redirection,
  redirectTarget,
  retryAfterMs,
} from "../fetch/index.ts";
import type { Body, Clock, FetchOutcome, Header } from "../seams/index.ts";
import type { FetchableUrl } from "../url/index.ts";

type Fetched = FetchOutcome & { readonly kind: "fetched" };

export interface AnswerReadingOptions {
  readonly clock: Clock;
  readonly decoder: ContentDecoder;
  readonly urlLengthMax: number;
}

export class AnswerReading {
  readonly #options: AnswerReadingOptions;

  constructor(options: AnswerReadingOptions) {
    this.#options = options;
  }

  /**
   * The body without its content encodings; the very same body where there are none. What was damaged
   * on its way decodes to something, but some of that may be garbage.
   */
  decode({ headers, body }: Fetched, done: (decoded: Body, isDamaged: boolean) => void): void {
    let encodings = "";
    for (const [name, value] of headers) {
      if (name.length !== 16 || name.toLowerCase() !== "content-encoding") continue;
      encodings += encodings === "" ? value : `,${value}`;
    }
    if (encodings === "") done(body, false);
    else {
      this.#options.decoder.decode(body, encodings, (decoded) => {
        done(decoded.body, decoded.error?.facts["how"] === "damaged");
      });
    }
  }

  retryAfterMs(headers: readonly Header[]): number | null {
    return retryAfterMs(headers, this.#options.clock.wallMs());
  }

  leadsTo(answer: Fetched, base: FetchableUrl): Redirection {
    return redirectTarget(answer, { base, lengthMax: this.#options.urlLengthMax });
  }
}
