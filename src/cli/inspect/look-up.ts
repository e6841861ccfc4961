/**
 * Fetches the one URL that a user wants to look at, as a crawl would: what is needed to do that
 * once, from the configuration, and what is said when it fails.
 */
import { openNetwork, type SeedFailure, type visitPage } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { version } from "../../base/package/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { withSeeds } from "../../fetch/client/index.ts";
import { assumedUrl, type FetchableUrl, parseUrl, URL_REFUSALS } from "../../formats/url/index.ts";
import type { ConfiguredWords } from "../crawl/crawl-arguments.ts";
import { isThere, removeFolder, temporaryFolder } from "../shell/named-files.ts";
import { asTyped, programName } from "../shell/program-name.ts";
import type { Terminal } from "../shell/terminal.ts";

/** No top-level domain has such a name: a file is meant, and it is missing. */
const FILE_NAME = /^[^/?#]*\.(?:x?html?|txt|xml)$/i;

/**
 * The URL to be fetched that an argument stands for; null when it is the name of a file. As for
 * seeds, https is assumed for a bare domain, with a note, unless there is a file of that name.
 */
export function urlMeant(word: string, terminal: Terminal): string | null {
  if (/^https?:\/\//i.test(word)) return word;
  if (FILE_NAME.test(word) || isThere(word)) return null;
  const assumed = assumedUrl(word);
  if (assumed === null) return null;
  terminal.err(`note: the URL has no scheme; https:// is assumed: ${printable(assumed)}\n`);
  return assumed;
}

/** The URL as it is sent; throws what is wrong with it. */
export function webUrl(word: string): FetchableUrl {
  const outcome = parseUrl(word);
  if (outcome.kind === "accepted") return outcome.url;
  throw new CrawlError(
    "USAGE_BAD_ARGUMENT",
    `${quoted(word)} cannot be fetched. ${URL_REFUSALS[outcome.reason]}`,
  );
}

/** Opens the network, has something fetched, and closes it. */
export async function lookUp<Answer>(
  url: FetchableUrl,
  { configuration, secrets: given }: Pick<ConfiguredWords, "configuration" | "secrets">,
  visit: (url: FetchableUrl, options: Parameters<typeof visitPage>[1]) => Promise<Answer>,
): Promise<Answer> {
  const secrets = { ...given, credentials: withSeeds(given.credentials, [url]) };
  const clock = new SystemClock();
  const folder = await temporaryFolder("trobar-look-");
  try {
    const scratch = new DiskStorage(folder);
    const network = await openNetwork(configuration, { clock, scratch, secrets });
    try {
      return await visit(url, { configuration, clock, network, version: version() });
    } finally {
      network.http.close();
      network.resolver.close();
    }
  } finally {
    await removeFolder(folder);
  }
}

export function tellFailure({ url, why, message, remedy }: SeedFailure, terminal: Terminal): void {
  const advice = asTyped(remedy, programName(terminal.environment));
  terminal.err(`trobar: ${printable(url)} failed (${why}). ${printable(message)}\n  ${advice}\n`);
}
