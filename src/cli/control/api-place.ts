/**
 * Where a crawl can be asked, as its directory says. The directory may have been made by somebody else,
 * to have a secret of this user sent elsewhere. So the token of the directory itself goes wherever its
 * `api.json` leads; one from outside, which is the user's, goes only to this machine, and only if nobody
 * but the user can have written `api.json`. To send it elsewhere the user names the place with `--api`.
 */
import { join, resolve } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { readGuarded } from "../../base/folder/index.ts";
import { quoted } from "../../base/text/index.ts";

export interface ApiPlace {
  /** Without a path. */
  readonly url: string;
  /** Null if none is known. */
  readonly token: string | null;
  /** The certificate to expect, in PEM; null for any that is signed by somebody known. */
  readonly certificate: Uint8Array | null;
  /** Whether only this machine may be asked. */
  readonly isOwnMachine: boolean;
}

const FILE_BYTES_MAX = 64 * 1024;
/** What can be in a header: a file that was named to be sent is refused unless it has a token. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

/** What a directory says, and how far it can be trusted. */
export interface WrittenPlace extends Omit<ApiPlace, "isOwnMachine"> {
  /** Whether the token is in a file outside of the directory. */
  readonly isOutside: boolean;
  /** Whether nobody but this user can have written it. */
  readonly isOwn: boolean;
}

/** What `api.json` says; null if there is none, or none that can be read: the crawl then does not run. */
export function placeIn(folder: string): WrittenPlace | null {
  const file = readGuarded(join(folder, "api.json"), folder, FILE_BYTES_MAX);
  const place = file === null ? null : parsed(file.bytes);
  if (file === null || place === null) return null;
  const read = readGuarded(resolve(folder, place.token), folder, FILE_BYTES_MAX);
  const { certificate } = place;
  return {
    ...{ url: place.url, token: tokenIn(read?.bytes) },
    ...{ isOwn: file.isOwn, isOutside: read?.isWithin === false },
    certificate:
      certificate === null
        ? null
        : (readGuarded(resolve(folder, certificate), folder, FILE_BYTES_MAX)?.bytes ?? null),
  };
}

/**
 * The place that a directory names, for this token, or for the one it has if that is null. Throws
 * `CONTROL_UNREACHABLE` where a token would be sent that must not be.
 */
export function placeFor(written: WrittenPlace, token: string | null): ApiPlace {
  const { url, certificate, isOwn, isOutside } = written;
  const isOwnMachine = token !== null || isOutside;
  if (isOwnMachine && !isOwn) throw untrusted(url);
  return { url, token: token ?? written.token, certificate, isOwnMachine };
}

/** The URL of an API without its path; null if it is none. */
export function apiUrl(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

interface Written {
  readonly url: string;
  readonly token: string;
  readonly certificate: string | null;
}

function parsed(bytes: Uint8Array): Written | null {
  try {
    const { url, token, certificate } = JSON.parse(Buffer.from(bytes).toString());
    const isPlace = typeof url === "string" && typeof token === "string";
    const origin = isPlace ? apiUrl(url) : null;
    if (origin === null) return null;
    return {
      url: origin,
      token,
      certificate: typeof certificate === "string" ? certificate : null,
    };
  } catch {
    return null;
  }
}

function tokenIn(bytes: Uint8Array | undefined): string | null {
  const token = Buffer.from(bytes ?? [])
    .toString("latin1")
    .trim();
  return TOKEN.test(token) ? token : null;
}

function untrusted(url: string): CrawlError {
  return new CrawlError(
    "CONTROL_UNREACHABLE",
    `Others than you can write api.json of this crawl, so your token is not sent to ${quoted(url)}, ` +
      "which it names. If that is your crawl, name it with --api URL.",
  );
}
