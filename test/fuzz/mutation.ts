/**
 * Damages bytes as a hostile or broken peer would, from a seed: bits flipped, ranges lost, doubled
 * or moved, numbers pushed to their limits, words of the format put where they do not belong, two
 * samples joined. One case is one to eight such steps.
 */
import type { Random } from "../../src/base/seams/index.ts";

/** No case is larger: what size does is tested elsewhere. */
const CASE_BYTES_MAX = 64 * 1024;

const NUMBERS: readonly string[] = [
  ...["-1", "0", "00", "1e9", "0x10", "65535", "65536", "4294967296", "9007199254740993"],
  ...["99999999999999999999", "ffffffff", "fffffffffffffffff", "NaN"],
];

type Step = (bytes: Buffer, random: Random, samples: readonly Buffer[]) => Buffer;

const STEPS: readonly Step[] = [
  // A flipped bit, a changed byte.
  (bytes, random) => withByte(bytes, random, (byte) => byte ^ (1 << random.below(8))),
  (bytes, random) => withByte(bytes, random, () => random.below(256)),
  (bytes, random) => withByte(bytes, random, () => random.below(2) * 255),
  // A range lost, doubled, repeated many times, moved.
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return inserted(bytes, to, bytes.subarray(from, to));
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    const piece = bytes.subarray(from, Math.min(to, from + 64));
    const copies = Array.from({ length: 1 + random.below(200) }, () => piece);
    return inserted(bytes, to, Buffer.concat(copies));
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    return inserted(rest, random.below(rest.length + 1), bytes.subarray(from, to));
  },
  // The end is missing.
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  // A number at its limit instead of the digits that stood there.
  (bytes, random) => {
    const text = bytes.toString("latin1");
    const runs = [...text.matchAll(/[0-9a-f]*[0-9][0-9a-f]*/gi)];
    const run = runs[random.below(Math.max(1, runs.length))];
    const number = NUMBERS[random.below(NUMBERS.length)] ?? "0";
    if (run === undefined) return inserted(bytes, random.below(bytes.length + 1), latin1(number));
    const after = text.slice(run.index + run[0].length);
    return latin1(text.slice(0, run.index) + number + after);
  },
  // A word of any sample, or its second half, where it does not belong.
  (bytes, random, samples) => {
    const other = samples[random.below(samples.length)] ?? bytes;
    const [from, to] = range(other, random);
    const word = other.subarray(from, Math.min(to, from + 40));
    return inserted(bytes, random.below(bytes.length + 1), word);
  },
  (bytes, random, samples) => {
    const other = samples[random.below(samples.length)] ?? bytes;
    const head = bytes.subarray(0, random.below(bytes.length + 1));
    return Buffer.concat([head, other.subarray(random.below(other.length + 1))]);
  },
];

/** A damaged copy of one of the samples. */
export function mutated(samples: readonly Buffer[], random: Random): Buffer {
  let bytes = Buffer.from(samples[random.below(samples.length)] ?? []);
  const steps = 1 + random.below(8);
  for (let step = 0; step < steps; step += 1) {
    const change = STEPS[random.below(STEPS.length)] as Step;
    bytes = Buffer.from(change(bytes, random, samples).subarray(0, CASE_BYTES_MAX));
  }
  return bytes;
}

function withByte(bytes: Buffer, random: Random, change: (byte: number) => number): Buffer {
  if (bytes.length === 0) return bytes;
  const at = random.below(bytes.length);
  bytes[at] = change(bytes[at] ?? 0);
  return bytes;
}

function range(bytes: Buffer, random: Random): readonly [from: number, to: number] {
  const one = random.below(bytes.length + 1);
  const other = random.below(bytes.length + 1);
  return [Math.min(one, other), Math.max(one, other)];
}

function inserted(bytes: Buffer, at: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

function latin1(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
