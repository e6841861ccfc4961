/** Errors of fetches by protocol modules. */
import { CrawlError } from "../../base/errors/index.ts";
import { printable, quoted } from "../../base/text/index.ts";

const URL_SHOWN = 200;
const REASON_SHOWN = 200;

/** The module threw, or did not keep its contract. */
export function moduleFailed(url: string, module: string, thrown: unknown): CrawlError {
  return new CrawlError(
    "FETCH_MODULE_FAILED",
    `Could not fetch ${quoted(url, URL_SHOWN)}: the protocol module ${module} failed: ` +
      `${reasonOf(thrown)}. Check the server, and the module that fetch.protocols names.`,
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

/** One short line, whatever was thrown. */
export function reasonOf(thrown: unknown): string {
  let reason: string;
  try {
    reason = thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    reason = "something that cannot be shown";
  }
  return printable((reason.split("\n", 1)[0] ?? "").slice(0, REASON_SHOWN)).replace(/\.$/, "");
}
