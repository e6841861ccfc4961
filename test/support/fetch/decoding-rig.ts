/** A content decoder on a simulated disk, with a spool for what it reads and writes. */
import assert from "node:assert/strict";
import { SeededRandom } from "../../../src/base/random/index.ts";
import type { Body } from "../../../src/base/seams/index.ts";
import {
  type BodySpool,
  ContentDecoder,
  DECODING_LIMITS,
  type DecodedContent,
  type DecodingLimits,
  PooledSpool,
} from "../../../src/fetch/body/index.ts";
import { SimDisk } from "../../../src/lab/simulator/index.ts";
import { SimulatedTime } from "../lab/simulated-world.ts";

const PIECE_BYTES = 64 * 1024;

export class DecodingRig {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly disk: SimDisk = new SimDisk(new SeededRandom("decoding"));
  readonly spool: PooledSpool;
  readonly decoder: ContentDecoder;
  /** How often the decoder yielded the thread. */
  turns = 0;

  constructor(options: { memoryBytes?: number; limits?: Partial<DecodingLimits> } = {}) {
    const storage = this.disk.mount(this.time);
    const memoryBytes = options.memoryBytes ?? 64 * 2 ** 20;
    this.spool = new PooledSpool({ memoryBytes, storage, clock: this.time });
    const limits = { ...DECODING_LIMITS, ...options.limits };
    this.decoder = new ContentDecoder({ clock: this.time, spool: this.spool, limits });
  }

  /** A body as a fetch would have left it. */
  body(bytes: Uint8Array, spool: BodySpool = this.spool): Body {
    const sink = spool.open(bytes.length, () => undefined);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      if (!sink.write(bytes, at, Math.min(at + PIECE_BYTES, bytes.length))) this.time.settle();
    }
    const bodies: Body[] = [];
    sink.end((error, body) => {
      assert.equal(error, null);
      if (body !== undefined) bodies.push(body);
    });
    this.time.settle();
    const [body] = bodies;
    assert.ok(body !== undefined, "the body was received");
    return body;
  }

  decode(
    bytes: Uint8Array,
    header: string,
  ): { readonly decoded: DecodedContent; readonly body: Body; readonly wasInside: boolean } {
    const body = this.body(bytes);
    const answers: DecodedContent[] = [];
    this.decoder.decode(body, header, (decoded) => answers.push(decoded));
    const wasInside = answers.length === 1;
    while (this.time.step()) this.turns += 1;
    const [decoded] = answers;
    assert.ok(decoded !== undefined && answers.length === 1, `${answers.length} answers`);
    return { decoded, body, wasInside };
  }

  content(body: Body): Uint8Array {
    if (body.bytes !== null) return body.bytes;
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < body.lengthBytes; at += PIECE_BYTES) {
      body.read(at, PIECE_BYTES, (error, piece) => {
        assert.equal(error, null);
        if (piece !== undefined) pieces.push(piece);
      });
      this.time.settle();
    }
    return Buffer.concat(pieces);
  }
}

/** Text that compresses about as well as pages do, the same in every run. */
export function textBody(lengthBytes: number): Buffer {
  const random = new SeededRandom("text");
  const words: string[] = [];
  for (let length = 0; length < lengthBytes; ) {
    const word = `${random.below(3) === 0 ? "<p>" : ""}${random.below(4000).toString(36)}`;
    words.push(word);
    length += word.length + 1;
  }
  return Buffer.from(`${words.join(" ")} `).subarray(0, lengthBytes);
}
