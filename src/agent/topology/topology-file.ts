/** Reads the files of topologies: that of the package, and those of users. */
import { readFileSync } from "node:fs";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";

export function readTopologyFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CrawlError(
      "CONFIG_FILE_UNREADABLE",
      `The topology ${quoted(path)} cannot be read: ${why}. Name another file with topology, or leave it out.`,
      { path },
      error,
    );
  }
}
