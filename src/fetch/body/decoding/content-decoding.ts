/**
 * One body being decoded: a few bounded turns of work, between which it waits for the body's file,
 * for a spool that is behind, or to let other work run.
 *
 * Output is gathered in a scratch buffer that all decodings of a thread share; it is emptied into
 * the sink before every wait. Before that first happens the decoding can be restarted: a small body
 * that turns out to be damaged is decoded again in tiny steps, to keep everything before the damage.
 */
import assert from "node:assert/strict";
import { type CrawlError, faultOf } from "../../../base/errors/index.ts";
import type { Body, Clock } from "../../../base/seams/index.ts";
import type { TurnBudget } from "../../../base/time/index.ts";
import type { DecodingStage, DecompressorPool } from "../../../base/zlib/index.ts";
import type { BodySink, BodySpool } from "../body-sink.ts";
import { ContentChain } from "./content-chain.ts";
import type { ContentCoding } from "./content-codings.ts";
import { corrupt, notEncoded, tooLarge } from "./content-error.ts";
import type { DecodedContent, DecodingLimits } from "./content-limits.ts";
import { looksEncoded, looksLikeText } from "./content-look.ts";
import { makeStage } from "./content-stage.ts";

/** What all decodings of one thread share. */
export interface DecodingParts {
  readonly clock: Clock;
  readonly spool: BodySpool;
  readonly limits: DecodingLimits;
  readonly decompressors: DecompressorPool;
  readonly scratch: Uint8Array;
  readonly turns: TurnBudget;
}

export interface EncodedContent {
  readonly body: Body;
  /** In the order in which they were applied: one or two. */
  readonly codings: readonly ContentCoding[];
  readonly outputBytesMax: number;
}

/** Input and output of one turn; about a millisecond. */
const TURN_BYTES = 512 * 1024;
/** What is read of a body on disk at a time. */
const READ_BYTES = 64 * 1024;
/** When a decoder fails, the output of the last step is lost... */
const COARSE_STEP_BYTES = 8 * 1024;
/** ...unless the body is no longer than this: then it is decoded again in smaller steps. */
const SMALL_BYTES = 64 * 1024;
const FINE_STEPS = 4096;

const NO_BYTES = new Uint8Array(0);

type Truncation = DecodedContent["truncatedBy"];

export class ContentDecoding {
  readonly #parts: DecodingParts;
  readonly #body: Body;
  readonly #done: (decoded: DecodedContent) => void;
  readonly #startedAtMs: number;
  readonly #limitBytes: number;
  readonly #isLimitByRatio: boolean;
  #codings: readonly ContentCoding[];
  #stepBytes = COARSE_STEP_BYTES;
  #stage: DecodingStage | null = null;
  /** The part of the body that was read, its offset in the body, and how much of it is decoded. */
  #input: Uint8Array = NO_BYTES;
  #inputOffset = 0;
  #inputAt = 0;
  #scratchAt = 0;
  #producedBytes = 0;
  #sink: BodySink | null = null;
  /** Called when the sink has drained. */
  #afterDrain: (() => void) | null = null;
  #isText = false;
  #isAnswered = false;
  /** Something was wrong, but everything could be decoded. */
  #remark: CrawlError | null = null;

  constructor(
    parts: DecodingParts,
    content: EncodedContent,
    done: (decoded: DecodedContent) => void,
  ) {
    const { ratioMax, ratioFreeBytes } = parts.limits;
    const { outputBytesMax } = content;
    this.#parts = parts;
    this.#body = content.body;
    this.#codings = content.codings;
    this.#done = done;
    this.#startedAtMs = parts.clock.nowMs();
    const byRatio = Math.max(ratioFreeBytes, ratioMax * content.body.lengthBytes);
    this.#limitBytes = Math.min(outputBytesMax, byRatio);
    this.#isLimitByRatio = byRatio < outputBytesMax;
  }

  start(): void {
    this.#guard(() => this.#start());
  }

  /** Starts, or restarts while nothing has gone to the sink. */
  #start(): void {
    this.#closeStage();
    this.#inputOffset = 0;
    this.#inputAt = 0;
    this.#scratchAt = 0;
    this.#producedBytes = 0;
    const { bytes } = this.#body;
    if (bytes === null) this.#read(0);
    else this.#begin(bytes);
  }

  #begin(input: Uint8Array): void {
    this.#input = input;
    const outer = this.#codings.at(-1);
    assert(outer !== undefined, "there is something to decode");
    this.#isText = looksLikeText(input);
    if (looksEncoded(outer, input)) {
      this.#stage = this.#makeStage();
      this.#turn();
    } else this.#passThrough();
  }

  #makeStage(): DecodingStage {
    const options = { decompressors: this.#parts.decompressors, stepBytes: this.#stepBytes };
    const stages = this.#codings.map((coding) => makeStage(coding, options));
    const [inner, outer] = stages;
    const [innerCoding] = this.#codings;
    assert(inner !== undefined && innerCoding !== undefined, "there is a coding");
    if (outer === undefined) return inner;
    return new ContentChain({ outer, inner, innerCoding, middleBytesMax: this.#limitBytes });
  }

  /** Works until it has finished, must wait, or has used up its turn. */
  #turn(): void {
    const { clock, limits } = this.#parts;
    if (clock.nowMs() - this.#startedAtMs > limits.timeMsMax) this.#cut("time");
    else this.#workForAWhile();
  }

  #workForAWhile(): void {
    const { turns } = this.#parts;
    let leftBytes = TURN_BYTES;
    let worked: number | null = 0;
    while (worked !== null && leftBytes > 0) {
      worked = this.#work();
      leftBytes -= worked ?? 0;
    }
    if (worked !== null) {
      this.#pause(() => turns.later(() => this.#guard(() => this.#turn())));
    }
  }

  /** One step; returns how many bytes it moved, or null when the turn ends with it. */
  #work(): number | null {
    const stage = this.#stage;
    assert(stage !== null, "what works has a stage");
    const output = this.#output();
    const state = stage.run(
      this.#input,
      this.#inputAt,
      this.#input.length,
      output,
      this.#scratchAt,
    );
    this.#inputAt += stage.consumedBytes;
    this.#scratchAt += stage.producedBytes;
    this.#producedBytes += stage.producedBytes;
    const moved = stage.consumedBytes + stage.producedBytes;
    if (this.#producedBytes > this.#limitBytes || state === "flooded") this.#cutAtLimit();
    else if (state === "full") return this.#empty() ? moved : this.#wait();
    else if (state === "damaged") this.#damaged("damaged");
    else if (state === "over") this.#finish(null, this.#remark);
    else this.#hungry(stage);
    return null;
  }

  /** The scratch up to the limit, and one byte more, which shows whether the limit is passed. */
  #output(): Uint8Array {
    const { scratch } = this.#parts;
    const end = this.#scratchAt + this.#limitBytes - this.#producedBytes + 1;
    return end < scratch.length ? scratch.subarray(0, end) : scratch;
  }

  #hungry(stage: DecodingStage): void {
    const nextOffset = this.#inputOffset + this.#input.length;
    if (nextOffset < this.#body.lengthBytes) this.#pause(() => this.#read(nextOffset));
    else if (stage.isComplete()) this.#finish(null, this.#remark);
    else this.#damaged("cut");
  }

  #read(offset: number): void {
    this.#body.read(offset, READ_BYTES, (error, bytes) =>
      this.#guard(() => {
        if (error !== null) return this.#finish("disk", error);
        this.#inputOffset = offset;
        this.#inputAt = 0;
        if (this.#stage === null) return this.#begin(bytes);
        this.#input = bytes;
        this.#turn();
      }),
    );
  }

  /** Writes what was gathered to the sink; false when the sink is behind. */
  #empty(): boolean {
    const count = this.#scratchAt;
    if (count === 0) return true;
    this.#scratchAt = 0;
    this.#sink ??= this.#openSink(null);
    return this.#sink.write(this.#parts.scratch, 0, count);
  }

  #openSink(expectedBytes: number | null): BodySink {
    return this.#parts.spool.open(expectedBytes, () => {
      const next = this.#afterDrain;
      this.#afterDrain = null;
      if (next !== null) this.#guard(next);
    });
  }

  #wait(): null {
    this.#afterDrain = () => this.#turn();
    return null;
  }

  /** Continues with `next` when the scratch is empty, so that other decodings may use it. */
  #pause(next: () => void): void {
    if (this.#empty()) next();
    else this.#afterDrain = next;
  }

  #damaged(how: "damaged" | "cut"): void {
    const { lengthBytes } = this.#body;
    const isFresh = this.#sink === null;
    const isCoarse = this.#stepBytes === COARSE_STEP_BYTES;
    if (this.#codings.length === 1 && this.#isText) this.#passThrough();
    else if (isFresh && isCoarse && lengthBytes <= SMALL_BYTES) {
      this.#stepBytes = Math.ceil(lengthBytes / FINE_STEPS);
      this.#start();
    } else if (isFresh && this.#stage instanceof ContentChain && this.#stage.isInnerMissing) {
      // Some servers name an encoding twice that they applied once.
      this.#codings = this.#codings.slice(1);
      this.#remark = notEncoded();
      this.#start();
    } else this.#finish("corrupt", corrupt(how, this.#producedBytes));
  }

  #cutAtLimit(): void {
    this.#scratchAt -= Math.max(0, this.#producedBytes - this.#limitBytes);
    this.#cut(this.#isLimitByRatio ? "ratio" : "length");
  }

  #cut(limit: "length" | "ratio" | "time"): void {
    this.#finish(limit, tooLarge(limit, this.#limitBytes));
  }

  #passThrough(): void {
    this.#closeStage();
    this.#sink?.abandon();
    this.#answer({ body: this.#body, truncatedBy: null, error: notEncoded() });
  }

  #finish(truncatedBy: Truncation, error: CrawlError | null): void {
    this.#closeStage();
    const count = this.#scratchAt;
    this.#scratchAt = 0;
    const sink = this.#sink ?? this.#openSink(count);
    this.#sink = sink;
    if (count > 0) sink.write(this.#parts.scratch, 0, count);
    sink.end((lost, body) =>
      this.#guard(() => {
        this.#sink = null;
        if (lost === null) this.#answer({ body, truncatedBy, error });
        else this.#lost(lost);
      }),
    );
  }

  /** The disk failed: an empty body takes the place of the decoded one. */
  #lost(error: CrawlError): void {
    this.#parts.spool
      .open(0, () => undefined)
      .end((failure, body) => {
        assert(failure === null, "an empty body needs no disk");
        this.#answer({ body, truncatedBy: "disk", error });
      });
  }

  #answer(decoded: DecodedContent): void {
    this.#isAnswered = true;
    this.#done(decoded);
  }

  /** If decoding throws, the result is the body as received, with the fault as its error. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      const what = "the decoding of a body";
      const error = faultOf(thrown, { code: "INTERNAL_DECODE", what, isOver: this.#isAnswered });
      this.#afterDrain = null;
      for (const giveBack of [() => this.#closeStage(), () => this.#sink?.abandon()]) {
        try {
          giveBack();
        } catch {}
      }
      this.#answer({ body: this.#body, truncatedBy: "corrupt", error });
    }
  }

  #closeStage(): void {
    this.#stage?.close();
    this.#stage = null;
  }
}
