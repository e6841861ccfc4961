/**
 * Runs damaged samples through code that must accept any input. The samples are files of `corpus/`,
 * one folder a format; a case that once failed is put there, so that it and everything near it is
 * tried again for ever. The seed is fixed in `npm test` and printed with a failure.
 *
 *     TROBAR_FUZZ_SEED=anything TROBAR_FULL=1 node --test test/fuzz/formats.test.ts
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { SeededRandom } from "../../src/base/random/index.ts";
import { mutated } from "./mutation.ts";

export type CorpusName =
  | ("http1" | "http2" | "tls" | "gzip" | "robots" | "sitemap" | "html" | "dns")
  | ("topology-xml" | "topology-yaml");

const SEED = process.env["TROBAR_FUZZ_SEED"] ?? "trobar";
const isFull = process.env["TROBAR_FULL"] === "1";

/** Every sample of a format, as it is in the repository. */
export function corpus(name: CorpusName): readonly Buffer[] {
  const folder = new URL(`./corpus/${name}/`, import.meta.url);
  const samples = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(new URL(file, folder)));
  assert.ok(samples.length > 0, `there are samples of ${name}`);
  return samples;
}

/** The samples themselves, then damaged ones: `counts` are those of `npm test` and of the full run. */
export function* casesOf(
  name: CorpusName,
  counts: { readonly usual: number; readonly full: number },
): Generator<Buffer> {
  const samples = corpus(name);
  yield* samples;
  const random = new SeededRandom(`${SEED}/${name}`);
  const count = isFull ? counts.full : counts.usual;
  for (let number = 0; number < count; number += 1) yield mutated(samples, random);
}

/** Tries one case; a failure names the seed and has the bytes, ready for a file of the corpus. */
export function attempt(bytes: Buffer, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw failed(bytes, error);
  }
}

/** As `attempt`, for code that gives a promise. */
export async function attemptAsync(bytes: Buffer, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw failed(bytes, error);
  }
}

function failed(bytes: Buffer, cause: unknown): Error {
  return new Error(`seed ${SEED}, bytes in base64: ${bytes.toString("base64")}`, { cause });
}
