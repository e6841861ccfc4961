/**
 * Decodes content encodings, within limits. We decode ourselves, when the whole body has arrived,
 * because the body as received is what is archived, and because libraries do not keep what was
 * decoded before a limit was reached.
 *
 * Invariant: whatever a server sends, the output stays within the limit, it goes to the spool (so it
 * counts against the memory of bodies), and no turn of the event loop takes more than a few
 * milliseconds. A page of ordinary size is decoded at once, inside the call.
 */
import type { Body, Clock } from "../../../base/seams/index.ts";
import { TurnBudget } from "../../../base/time/index.ts";
import { DecompressorPool } from "../../../base/zlib/index.ts";
import type { BodySpool } from "../body-sink.ts";
import { contentCodings } from "./content-codings.ts";
import { ContentDecoding, type DecodingParts } from "./content-decoding.ts";
import { tooManyEncodings, unknownEncoding } from "./content-error.ts";
import type { DecodedContent, DecodingLimits } from "./content-limits.ts";

export interface DecoderOptions {
  readonly clock: Clock;
  readonly spool: BodySpool;
  readonly limits: DecodingLimits;
  /** Spreads long decodings over turns; by default the decoder has its own. */
  readonly turns?: TurnBudget;
}

/** What is gathered before it goes to the spool: at most one write of a sink. */
const SCRATCH_BYTES = 64 * 1024;

export class ContentDecoder {
  readonly #parts: DecodingParts;

  constructor(options: DecoderOptions) {
    const scratch = new Uint8Array(SCRATCH_BYTES);
    const { turns = new TurnBudget(options.clock) } = options;
    this.#parts = { ...options, turns, decompressors: new DecompressorPool(), scratch };
  }

  /**
   * `contentEncoding` is the header's value; several are joined by commas, none is "". `done` is
   * called once, possibly inside the call; the body must not be released before. `outputBytesMax`
   * replaces that of the limits for this body.
   */
  decode(
    body: Body,
    contentEncoding: string,
    done: (decoded: DecodedContent) => void,
    outputBytesMax: number = this.#parts.limits.outputBytesMax,
  ): void {
    const list = contentCodings(contentEncoding);
    if (list.kind === "unknown")
      done({ body, truncatedBy: null, error: unknownEncoding(list.name) });
    else if (list.kind === "too-many") done({ body, truncatedBy: null, error: tooManyEncodings() });
    else if (list.codings.length === 0 || body.lengthBytes === 0) {
      done({ body, truncatedBy: null, error: null });
    } else
      new ContentDecoding(
        this.#parts,
        { body, codings: list.codings, outputBytesMax },
        done,
      ).start();
  }
}
