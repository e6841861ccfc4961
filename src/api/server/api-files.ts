/**
 * Where the API of a running crawl is, as its directory tells: `api.json` for programs, and the token in
 * a file beside it that only its owner can read. Both go when the crawl ends; what is left of a killed
 * process is replaced by the next.
 */
import { join, resolve } from "node:path";
import { isCrawlError } from "../../base/errors/index.ts";
import { removeFile, writePrivate } from "../../base/folder/index.ts";
import type { Configuration } from "../../rules/config/index.ts";

const PLACE_FILE = "api.json";
const TOKEN_FILE = "api.token";

/** What a client needs. */
interface ApiPlace {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The file with the token; absolute. */
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

export interface WrittenPlace extends ApiPlace {
  readonly folder: string;
}

/** Throws `DIRECTORY_FAILED`. */
export function announce(folder: string, { settings, port, token }: Announced): WrittenPlace {
  const { host, tls } = settings;
  const tokenFile = token === null ? resolve(settings.token) : join(folder, TOKEN_FILE);
  const place: ApiPlace = {
    url: `${tls === null ? "http" : "https"}://${reachable(host)}:${port}`,
    token: token === null ? tokenFile : TOKEN_FILE,
    certificate: tls === null ? null : resolve(tls.cert),
  };
  // After a crash of the machine they would be of no use.
  if (token !== null) writePrivate(tokenFile, `${token}\n`, false);
  writePrivate(join(folder, PLACE_FILE), `${JSON.stringify(place)}\n`, false);
  return { ...place, token: tokenFile, folder };
}

export function withdraw({ folder, token }: WrittenPlace): void {
  try {
    removeFile(join(folder, PLACE_FILE));
    if (token === join(folder, TOKEN_FILE)) removeFile(token);
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
