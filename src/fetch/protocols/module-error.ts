/** Errors of fetches by protocol modules. */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted, thrownReason } from "../../base/text/index.ts";

const URL_SHOWN = 200;

/** The module threw, or did not keep its contract. */
export function moduleFailed(url: string, module: string, thrown: unknown): CrawlError {
  return new CrawlError(
    "FETCH_MODULE_FAILED",
    `Could not fetch ${quoted(url, URL_SHOWN)}: the protocol module ${module} failed: ` +
      `${thrownReason(thrown)}. Check the server, and the module that fetch.protocols names.`,
    { url, module },
    thrown,
  );
}

export function moduleTimedOut(
  url: string,
  exceeded: { readonly limit: string; readonly limitMs: number },
): CrawlError {
  const { limit, limitMs } = exceeded;
  const key =
    limit === "total" ? "fetch.totalTimeout" : "fetch.connectTimeout and fetch.headerTimeout";
  return new CrawlError(
    "FETCH_TIMED_OUT",
    `Gave up on ${quoted(url, URL_SHOWN)}: its protocol module did not answer within ${limitMs} ms ` +
      `(${key}).`,
    { url, limit, limitMs },
  );
}
