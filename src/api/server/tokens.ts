/**
 * The tokens of the API. One that is not the user's is made at every start and ends with the process.
 * Only digests are compared, in constant time, so that an answer tells nothing about a token.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { CrawlError } from "../../base/errors/index.ts";
import { readFile } from "../../base/folder/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";

/** What a token allows. */
export type Role = "read" | "write";

const MADE_BYTES = 32;
const LENGTH_MIN = 16;
const LENGTH_MAX = 512;
/** What RFC 6750 and every client can send. */
const TOKEN = /^[\x21-\x7e]+$/;

export class Tokens {
  /** Null if the user has named a file that has it. */
  readonly made: string | null;
  readonly #write: Buffer;
  readonly #read: Buffer | null;

  /** Throws `API_TOKEN_UNUSABLE`. */
  constructor({ token, readToken }: Pick<Configuration["api"], "token" | "readToken">) {
    this.made = token === "auto" ? randomBytes(MADE_BYTES).toString("base64url") : null;
    this.#write = digest(this.made ?? tokenIn(token, "api.token"));
    this.#read = readToken === null ? null : digest(tokenIn(readToken, "api.readToken"));
    if (this.#read?.equals(this.#write) === true) {
      throw unusable("api.readToken", "it holds the same token as api.token");
    }
  }

  /** What the token in a header allows; null if it is none of ours. */
  roleOf(authorization: string | undefined): Role | null {
    const given = digest(/^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "");
    if (timingSafeEqual(given, this.#write)) return "write";
    return this.#read !== null && timingSafeEqual(given, this.#read) ? "read" : null;
  }
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function tokenIn(path: string, key: string): string {
  const file = readFile(path, LENGTH_MAX + 3);
  if (!file.ok) throw unusable(key, `${quoted(path)} ${file.problem}`);
  const token = Buffer.from(file.bytes).toString("latin1").trim();
  const isUsable = TOKEN.test(token) && token.length >= LENGTH_MIN && token.length <= LENGTH_MAX;
  if (isUsable) return token;
  throw unusable(
    key,
    `${quoted(path)} must hold one line of ${LENGTH_MIN} to ${LENGTH_MAX} characters without spaces`,
  );
}

function unusable(key: string, why: string): CrawlError {
  return new CrawlError("API_TOKEN_UNUSABLE", `The token file of ${key} cannot be used: ${why}.`);
}
