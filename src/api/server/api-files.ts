/**
 * Where the API of a running crawl is, as its directory tells: `api.json` for programs, and the token in
 * a file beside it that only its owner can read. Both go when the crawl ends; what is left of a killed
 * process is replaced by the next.
 */
import { join, resolve } from "node:path";
import { isCrawlError } from "../../base/errors/index.ts";
import { readText, removeFile, writePrivate } from "../../base/folder/index.ts";
import type { Configuration } from "../../rules/config/index.ts";

const PLACE_FILE = "api.json";
const TOKEN_FILE = "api.token";

/** What a client needs. */
interface ApiPlace {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The file with the token; relative to the crawl directory, or absolute. */
  readonly token: string;
  /** The file with the certificate, which may be signed by nobody; null for plain HTTP. */
  readonly certificate: string | null;
}

interface Announced {
  readonly settings: Configuration["api"];
  readonly port: number;
  /** One that was made, if it was. */
  readonly token: string | null;
}

/** The files that were written, by their paths. */
export type WrittenPlace = ReadonlyMap<string, string>;

/** Throws `DIRECTORY_FAILED`. */
export function announce(folder: string, { settings, port, token }: Announced): WrittenPlace {
  const { host, tls } = settings;
  const place: ApiPlace = {
    url: `${tls === null ? "http" : "https"}://${reachable(host)}:${port}`,
    token: token === null ? resolve(settings.token) : TOKEN_FILE,
    certificate: tls === null ? null : resolve(tls.cert),
  };
  const files = new Map<string, string>();
  if (token !== null) files.set(join(folder, TOKEN_FILE), `${token}\n`);
  files.set(join(folder, PLACE_FILE), `${JSON.stringify(place)}\n`);
  // After a crash of the machine they would be of no use.
  for (const [path, text] of files) writePrivate(path, text, false);
  return files;
}

/** The directory may have the files of another process by now, which stay. */
export function withdraw(files: WrittenPlace): void {
  try {
    for (const [path, text] of files) if (readText(path) === text) removeFile(path);
  } catch (error) {
    // The crawl has ended, whether or not its directory can still be written to.
    if (!isCrawlError(error)) throw error;
  }
}

/** An address that means "all of this machine" is not one to connect to. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "[::]" ? "[::1]" : host;
}
