/** A body spool of a megabyte on a simulated disk, and short ways to use it. */
import assert from "node:assert/strict";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Body, Clock, Done } from "../../base/seams/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import { type BodySink, openSpool, type PooledSpool } from "./index.ts";

export class SpoolRig {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly disk: SimDisk = new SimDisk(new SeededRandom("spool"));
  readonly clock: Clock = this.time;
  spool: PooledSpool = this.reopen();
  drains = 0;

  reopen(): PooledSpool {
    const storage = this.disk.mount(this.clock);
    const found = this.wait<PooledSpool>((done) =>
      openSpool({ memoryBytes: 2 ** 20, storage, clock: this.clock }, done),
    );
    this.spool = found;
    return found;
  }

  wait<Value>(start: (done: Done<Value>) => void): Value {
    const answers: Parameters<Done<Value>>[] = [];
    start((...outcome) => answers.push(outcome));
    this.time.settle();
    const answer = answers[0];
    assert.ok(answer !== undefined && answers.length === 1, `${answers.length} answers`);
    if (answer[0] !== null) throw answer[0];
    return answer[1];
  }

  failure(start: (done: Done<Body>) => void): CrawlError {
    let failure: CrawlError | null = null;
    try {
      this.wait(start);
    } catch (error) {
      failure = error as CrawlError;
    }
    assert.ok(failure !== null, "this should have failed");
    return failure;
  }

  open(expectedBytes: number | null = null): BodySink {
    return this.spool.open(expectedBytes, () => {
      this.drains += 1;
    });
  }

  /** Writes, waiting whenever the sink is behind. */
  write(sink: BodySink, bytes: Uint8Array, pieceBytes: number = 8 * 1024): void {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (sink.write(bytes, at, Math.min(at + pieceBytes, bytes.length))) continue;
      const before = this.drains;
      this.time.settle();
      assert.equal(this.drains, before + 1, "a sink that was behind has drained");
    }
  }

  body(bytes: Uint8Array, expectedBytes: number | null = null): Body {
    const sink = this.open(expectedBytes);
    this.write(sink, bytes);
    return this.wait<Body>((done) => sink.end(done));
  }

  content(body: Body): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < body.lengthBytes; at += 10_000) {
      pieces.push(this.wait<Uint8Array>((done) => body.read(at, 10_000, done)));
    }
    return Buffer.concat(pieces);
  }
}

/** Bytes that differ from their neighbours, the same in every run. */
export function patterned(lengthBytes: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, index) => (index * 31 + seed) >> 3);
}
