/** What a suite needs of a fetcher under test, and a scripted web fetched with `await`. */
import assert from "node:assert/strict";
import type {
  Body,
  Done,
  Fetcher,
  FetchInFlight,
  FetchLimits,
  FetchOutcome,
  FetchRequest,
  Header,
} from "../../base/seams/index.ts";
import type { WebScript, WebStep } from "../simulator/index.ts";
import { ask, resultOf } from "./ask.ts";
import type { World } from "./world.ts";

export interface FetcherSubject {
  readonly world: World;
  readonly fetcher: Fetcher;
  /** Where to reach each script, in the order given. */
  readonly places: readonly Pick<FetchRequest, "url" | "address">[];
  dispose(): Promise<void>;
}

/** Makes a web of these scripts, and a fetcher that can reach it. */
export type Opening = (scripts: readonly WebScript[]) => Promise<FetcherSubject>;

/** An outcome whose body was read to its end. */
export type FetchedWhole = Omit<FetchOutcome & { kind: "fetched" }, "body"> & {
  readonly body: Uint8Array;
};

/** Generous. */
const LIMITS: FetchLimits = {
  connectTimeoutMs: 20_000,
  headerTimeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  totalTimeoutMs: 60_000,
  bytesPerSecondMin: 1,
  headerBytesMax: 64 * 1024,
  bodyBytesMax: 1024 * 1024,
};

interface Wish {
  readonly headers?: readonly Header[];
  readonly limits?: Partial<FetchLimits>;
}

/** A scripted web and a fetcher, asked with `await`; the first script unless said otherwise. */
export class ScriptedWeb implements AsyncDisposable {
  readonly subject: FetcherSubject;

  private constructor(subject: FetcherSubject) {
    this.subject = subject;
  }

  static of(open: Opening, steps: readonly WebStep[]): Promise<ScriptedWeb> {
    return ScriptedWeb.ofScripts(open, [{ steps }]);
  }

  static async ofScripts(open: Opening, scripts: readonly WebScript[]): Promise<ScriptedWeb> {
    return new ScriptedWeb(await open(scripts));
  }

  fetch(
    wish: Wish = {},
    started: (inFlight: FetchInFlight) => void = () => {},
  ): Promise<FetchOutcome> {
    const { fetcher, places, world } = this.subject;
    return ask<FetchOutcome>(world, (answered) => {
      started(fetcher.fetch(requestFor(places[0], wish), answered));
    });
  }

  async fetched(wish: Wish = {}): Promise<FetchedWhole> {
    return await this.whole(await this.fetch(wish));
  }

  /** Reads a fetched body twice, as several readers would, and releases it. */
  async whole(outcome: FetchOutcome): Promise<FetchedWhole> {
    assert(outcome.kind === "fetched", `fetched, not ${JSON.stringify(outcome)}`);
    const { body } = outcome;
    const shown = body.bytes === null ? null : Buffer.from(body.bytes);
    const bytes = await this.#read(body, 0, body.lengthBytes + 1);
    const middle = body.lengthBytes >>> 1;
    const tail = await this.#read(body, middle, body.lengthBytes);
    assert(Buffer.compare(bytes.subarray(middle), tail) === 0, "it reads the same in pieces");
    assert(shown === null || shown.equals(bytes), "it reads as it shows itself");
    assert(bytes.length === body.lengthBytes, "it is as long as it says");
    body.release();
    return { ...outcome, body: bytes };
  }

  async #read(body: Body, offset: number, lengthBytes: number): Promise<Uint8Array> {
    const read = (done: Done<Uint8Array>) => body.read(offset, lengthBytes, done);
    return Buffer.from(await resultOf(this.subject.world, read));
  }

  async failed(wish: Wish = {}): Promise<(FetchOutcome & { kind: "failed" })["error"]> {
    const outcome = await this.fetch(wish);
    assert(outcome.kind === "failed", `failed, not ${JSON.stringify(outcome)}`);
    return outcome.error;
  }

  /** Fetches every script at once. */
  all(): Promise<readonly FetchOutcome[]> {
    const { fetcher, places, world } = this.subject;
    return ask<readonly FetchOutcome[]>(world, (answered) => {
      const outcomes: FetchOutcome[] = [];
      let open = places.length;
      places.forEach((place, index) => {
        fetcher.fetch(requestFor(place), (outcome) => {
          outcomes[index] = outcome;
          open -= 1;
          if (open === 0) answered(outcomes);
        });
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.subject.dispose();
  }
}

export function requestFor(
  place: FetcherSubject["places"][number] | undefined,
  wish: Wish = {},
): FetchRequest {
  assert(place !== undefined);
  return { ...place, headers: wish.headers ?? [], limits: { ...LIMITS, ...wish.limits } };
}
