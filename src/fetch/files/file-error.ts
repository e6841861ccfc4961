/** Errors of local files. */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";

/** `path`: not a path on this machine. `outside`: of the roots. `kind`: neither file nor folder. */
export type FileRefusal = "path" | "outside" | "kind";

const WHY: Readonly<Record<FileRefusal, string>> = {
  path: "it does not name a file on this machine",
  outside: "it is outside the folders of the seeds",
  kind: "it is neither a file nor a folder",
};

const URL_SHOWN = 200;

export function fileRefused(url: string, why: FileRefusal): CrawlError {
  const message = `${quoted(url, URL_SHOWN)} is not read: ${WHY[why]}.`;
  return new CrawlError("FETCH_FILE_REFUSED", message, { url, why });
}

export function fileTimedOut(url: string, totalTimeoutMs: number): CrawlError {
  return new CrawlError(
    "FETCH_TIMED_OUT",
    `Gave up on ${quoted(url, URL_SHOWN)}: the disk did not answer within ${totalTimeoutMs} ms ` +
      "(fetch.totalTimeout).",
    { url, limit: "total" },
  );
}

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/** The system refused something. */
export function fileFailed(url: string, cause: NodeJS.ErrnoException): CrawlError {
  const systemCode = cause.code ?? "";
  const shown = quoted(url, URL_SHOWN);
  // Links that form a loop, or a link that has just replaced the file.
  if (systemCode === "ELOOP") return fileRefused(url, "outside");
  return MISSING.has(systemCode)
    ? new CrawlError("FETCH_FILE_MISSING", `There is no file ${shown}.`, { url, systemCode }, cause)
    : new CrawlError(
        "FETCH_FILE_UNREADABLE",
        `Could not read ${shown}: the system says ${systemCode}. Check the file's permissions.`,
        { url, systemCode },
        cause,
      );
}
