/**
 * Which crawl a command means, and how it is reached: by its API if it runs, else by its directory. The
 * token is that of the directory, or of the variable TROBAR_TOKEN.
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import type { CommandWords } from "../shell/command-words.ts";
import type { Terminal } from "../shell/terminal.ts";
import { shellWord } from "../shell/typed-command.ts";
import { crawlFolder } from "../store/crawl-folder.ts";
import { ApiClient } from "./api-client.ts";
import { apiUrl, placeFor, placeIn } from "./api-place.ts";

export interface FoundCrawl {
  /** Absolute: of the agent that is asked, or the first; null if only the API is known. */
  readonly folder: string | null;
  /** For people. */
  readonly name: string;
  /** What -o needs to find it again from here; null if only the API is known. */
  readonly out: string | null;
  /** Of a crawl that several agents share, the directories that it has here; else that one, if it is known. */
  readonly folders: readonly string[];
  /** Null if the crawl does not run, or has no API. */
  readonly client: ApiClient | null;
}

/** Throws what is wrong with the words, or `CONTROL_UNREACHABLE` for an API that was named. */
export async function findCrawl(
  given: Pick<CommandWords, "value">,
  { environment }: Terminal,
): Promise<FoundCrawl> {
  const token = environment["TROBAR_TOKEN"] ?? null;
  const api = given.value("api");
  if (api !== null) {
    const url = urlOf(api);
    const out = given.value("out");
    const known = out === null ? null : placeIn(crawlFolder(out).path);
    const client = new ApiClient({
      ...{ url, token: token ?? known?.token ?? null, certificate: known?.certificate ?? null },
      isOwnMachine: false,
    });
    await client.greet();
    return { folder: null, name: api, out: null, client, folders: [] };
  }
  const named = given.value("out");
  const { path, name, agents: folders } = crawlFolder(named);
  const out = named ?? name;
  for (const folder of folders) {
    const client = await clientIn(folder, token);
    if (client !== null) return { folder, name, out, client, folders };
  }
  return { folder: path, name, out, client: null, folders };
}

/** Null if it does not run, or has no API. */
async function clientIn(folder: string, token: string | null): Promise<ApiClient | null> {
  const place = placeIn(folder);
  if (place === null) return null;
  const client = new ApiClient(placeFor(place, token));
  return (await isThere(client)) ? client : null;
}

/** The client of a crawl that must be running. */
export function running({ client, name, out }: FoundCrawl): ApiClient {
  if (client !== null) return client;
  const where =
    out === null ? "" : ` \`trobar status -o ${shellWord(out)}\` shows where it stands.`;
  throw new CrawlError(
    "CONTROL_NOT_RUNNING",
    `The crawl in ${quoted(out ?? name)} is not running, so there is nothing to be done to it.${where}`,
  );
}

function urlOf(text: string): string {
  const url = apiUrl(text);
  if (url !== null) return url;
  throw new CrawlError(
    "USAGE_BAD_FLAG_VALUE",
    `--api ${quoted(text)} is not the URL of an API; write it as in http://127.0.0.1:8080.`,
  );
}

/**
 * Whether a crawl answers there. What a killed process has left leads nowhere. Rejects where the directory
 * leads to another machine and the token is not its own.
 */
export async function isThere(client: ApiClient): Promise<boolean> {
  try {
    await client.greet();
    return true;
  } catch (error) {
    const isGone = isCrawlError(error) && error.code === "CONTROL_UNREACHABLE";
    if (isGone && error.facts["isForeign"] !== true) return false;
    throw error;
  }
}

/** For people: what was said of a name of a crawl is one line. */
export function titled(name: string, text: string): string {
  return `${printable(`${name}: ${text}`)}\n`;
}
