/** A file of the state of an agent whose form this version does not know. */
import { CrawlError } from "../../base/errors/index.ts";
import type { FileName } from "../../base/seams/index.ts";

export function otherFormat(file: FileName, format: number, known: number): CrawlError {
  const which = format > known ? "a newer" : "an older";
  return new CrawlError(
    "CLUSTER_STATE_VERSION",
    `The file ${file} of this agent was written by ${which} version of Trobar (format ${format}; this ` +
      `version reads ${known}). Go on with that version. Nothing was changed.`,
    { file, format, known },
  );
}
