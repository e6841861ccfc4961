/** Reads answers: content encodings, redirects, `Retry-After`. */

import type { Body, Clock, FetchedOutcome, Header } from "../../base/seams/index.ts";
import type { ContentDecoder, DecodedContent } from "../../fetch/body/index.ts";
import { type Redirection, redirectTarget, retryAfterMs } from "../../fetch/client/index.ts";
import { headerValues } from "../../formats/http/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";

export interface AnswerReadingOptions {
  readonly clock: Clock;
  readonly decoder: ContentDecoder;
  readonly urlLengthMax: number;
  /** Those of protocol modules: redirects may lead to them. */
  readonly schemes?: ReadonlySet<string>;
}

const NO_SCHEMES: ReadonlySet<string> = new Set();

export class AnswerReading {
  readonly #options: AnswerReadingOptions;

  constructor(options: AnswerReadingOptions) {
    this.#options = options;
  }

  /**
   * The body without its content encodings, at most `outputBytesMax` of it (`fetch.maxBody` unless
   * given); the same body if there are none.
   */
  decode(
    { headers, body }: FetchedOutcome,
    done: (content: DecodedContent) => void,
    outputBytesMax?: number,
  ): void {
    const encodings = headerValues(headers, "content-encoding").join();
    if (encodings === "") done({ body, truncatedBy: null, error: null });
    else this.#options.decoder.decode(body, encodings, done, outputBytesMax);
  }

  retryAfterMs(headers: readonly Header[]): number | null {
    return retryAfterMs(headers, this.#options.clock.wallMs());
  }

  leadsTo(answer: FetchedOutcome, base: FetchableUrl): Redirection {
    const { urlLengthMax, schemes = NO_SCHEMES } = this.#options;
    return redirectTarget(answer, { base, lengthMax: urlLengthMax, schemes });
  }
}

/** A copy of the first `bytesMax` bytes; null if they cannot be read. */
export function readAll(
  body: Body,
  bytesMax: number,
  done: (bytes: Uint8Array | null) => void,
): void {
  const wanted = Math.min(body.lengthBytes, bytesMax);
  if (body.bytes !== null) done(body.bytes.slice(0, wanted));
  else
    body.read(0, wanted, (_error, bytes) => done(bytes?.length === wanted ? bytes.slice() : null));
}
