/**
 * What `crawl.json` says: which crawl this is, which disk, and what was fixed when it was created.
 * It is written once. The fingerprint key is a secret, since it allows making URLs that collide; so
 * only the owner can read the file.
 */
import assert from "node:assert/strict";
import { parseChecked, printChecked } from "../../base/folder/index.ts";

export interface CrawlIdentity {
  /** The crawl; the same in all directories of a cluster. */
  readonly crawl: string;
  /** This disk; drawn when the directory is created and never used again. */
  readonly generation: string;
  /** The agent that owns the directory. */
  readonly agent: string;
  /** 32 hexadecimal digits. */
  readonly fingerprintKey: string;
  readonly shards: number;
  readonly capacity: number;
  /** In wall-clock milliseconds. */
  readonly createdAtMs: number;
  /** The version of Trobar that created it. */
  readonly version: string;
}

/** Grows when a directory can no longer be read by older versions. */
const FORMAT = 1;

export function printIdentity(identity: CrawlIdentity): string {
  const { createdAtMs, ...rest } = identity;
  const created = new Date(createdAtMs).toISOString();
  return printChecked({ format: FORMAT, ...rest, created }, 2);
}

/** The identity, or what is wrong with the text, as the end of a sentence. */
export function parseIdentity(text: string): CrawlIdentity | string {
  if (newerVersion(text) !== null) return "it was made by a newer version of Trobar";
  const found = parseChecked(text);
  if (found === null) return "it is not a JSON object, or not as it was written";
  for (const [name, isRight] of Object.entries(CHECKS)) {
    if (!isRight(found[name])) return `${name} is missing or wrong`;
  }
  const createdAtMs = Date.parse(String(found["created"]));
  return {
    crawl: String(found["crawl"]),
    generation: String(found["generation"]),
    agent: String(found["agent"]),
    fingerprintKey: String(found["fingerprintKey"]),
    shards: Number(found["shards"]),
    capacity: Number(found["capacity"]),
    createdAtMs,
    version: String(found["version"]),
  };
}

/** The version that made a directory, if this one is too old to read it, and perhaps its checksum. */
export function newerVersion(text: string): string | null {
  try {
    const { format, version } = JSON.parse(text) as Record<string, unknown>;
    return typeof format === "number" && format > FORMAT ? String(version) : null;
  } catch {
    return null;
  }
}

type Check = (value: unknown) => boolean;

const isText =
  (form: RegExp): Check =>
  (value) =>
    typeof value === "string" && form.test(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 1;

const CHECKS: Readonly<Record<string, Check>> = {
  format: (value) => value === FORMAT,
  crawl: isText(/^[0-9a-f]{32}$/),
  generation: isText(/^[0-9a-f]{32}$/),
  agent: isText(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/),
  fingerprintKey: isText(/^[0-9a-f]{32}$/),
  shards: isCount,
  capacity: isCount,
  created: (value) => !Number.isNaN(Date.parse(String(value))),
  version: isText(/^[!-~]{1,64}$/),
};

/** The key's sixteen bytes. */
export function fingerprintKeyBytes(identity: Pick<CrawlIdentity, "fingerprintKey">): Uint8Array {
  const bytes = Buffer.from(identity.fingerprintKey, "hex");
  assert(bytes.length === 16, "a fingerprint key has sixteen bytes");
  return bytes;
}
