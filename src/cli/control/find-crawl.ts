/**
 * Which crawl a command means, and how it is reached: by its API if it runs, else by its directory. The
 * token is that of the directory, or of the variable TROBAR_TOKEN.
 */
import { join, resolve } from "node:path";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { readFile, readText } from "../../base/folder/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import type { CommandWords } from "../shell/command-words.ts";
import type { Terminal } from "../shell/terminal.ts";
import { crawlFolder } from "../store/crawl-folder.ts";
import { ApiClient, type ApiPlace } from "./api-client.ts";

export interface FoundCrawl {
  /** Absolute; null if only the API is known. */
  readonly folder: string | null;
  /** For people. */
  readonly name: string;
  /** Null if the crawl does not run, or has no API. */
  readonly client: ApiClient | null;
}

const FILE_BYTES_MAX = 64 * 1024;

/** Throws what is wrong with the words, or `CONTROL_UNREACHABLE` for an API that was named. */
export async function findCrawl(
  given: Pick<CommandWords, "value">,
  { environment }: Terminal,
): Promise<FoundCrawl> {
  const token = environment["TROBAR_TOKEN"] ?? null;
  const api = given.value("api");
  if (api !== null) {
    const place = { url: apiUrl(api), token: token ?? "", certificate: null };
    const known =
      given.value("out") === null ? null : placeIn(crawlFolder(given.value("out")).path);
    const client = new ApiClient({
      ...place,
      token: token ?? known?.token ?? null,
      certificate: known?.certificate ?? null,
    });
    await client.ask("GET", "/health");
    return { folder: null, name: api, client };
  }
  const { path: folder, name } = crawlFolder(given.value("out"));
  const place = placeIn(folder);
  if (place === null) return { folder, name, client: null };
  const client = new ApiClient(token === null ? place : { ...place, token });
  return { folder, name, client: (await isThere(client)) ? client : null };
}

/** The client of a crawl that must be running. */
export function running({ client, name, folder }: FoundCrawl): ApiClient {
  if (client !== null) return client;
  const where = folder === null ? "" : ` \`trobar status -o ${name}\` shows where it stands.`;
  throw new CrawlError(
    "CONTROL_NOT_RUNNING",
    `The crawl in ${quoted(name)} is not running, so there is nothing to be done to it.${where}`,
  );
}

function apiUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CrawlError(
      "USAGE_BAD_FLAG_VALUE",
      `--api ${quoted(text)} is not the URL of an API; write it as in http://127.0.0.1:8080.`,
    );
  }
  return url.origin;
}

/** What api.json says; null if there is none, or none that can be read: the crawl then does not run. */
function placeIn(folder: string): ApiPlace | null {
  try {
    const place = JSON.parse(readText(join(folder, "api.json")) ?? "null");
    if (typeof place?.url !== "string" || typeof place.token !== "string") return null;
    return {
      url: apiUrl(place.url),
      token: fileText(resolve(folder, place.token))?.trim() ?? null,
      certificate: typeof place.certificate === "string" ? fileBytes(place.certificate) : null,
    };
  } catch (error) {
    if (error instanceof SyntaxError || isCrawlError(error)) return null;
    throw error;
  }
}

function fileBytes(path: string): Uint8Array | null {
  const read = readFile(path, FILE_BYTES_MAX);
  return read.ok ? read.bytes : null;
}

function fileText(path: string): string | null {
  const bytes = fileBytes(path);
  return bytes === null ? null : Buffer.from(bytes).toString("latin1");
}

/** Whether a crawl answers there. What a killed process has left leads nowhere. */
export async function isThere(client: ApiClient): Promise<boolean> {
  try {
    await client.ask("GET", "/health");
    return true;
  } catch (error) {
    if (isCrawlError(error) && error.code === "CONTROL_UNREACHABLE") return false;
    throw error;
  }
}

/** For people: what was said of a name of a crawl is one line. */
export function titled(name: string, text: string): string {
  return `${printable(name)}: ${text}\n`;
}
