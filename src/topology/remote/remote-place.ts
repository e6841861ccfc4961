/** Where a side of a remote connector lives: what it has of the world, and where its logs are. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, FileName, Random, Storage } from "../../base/seams/index.ts";
import type { Transport } from "../../base/transport/index.ts";

export interface RemotePlace {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly random: Random;
  readonly transport: Transport;
  /** Told of what went wrong and does not end the connector. */
  readonly report: (error: CrawlError) => void;
  /** Told once if the connector cannot go on: its log is broken. */
  readonly fail: (error: CrawlError) => void;
}

/** The folder of a connector; ids of topologies may hold what names of files may not. */
export function folderOf(id: string): FileName {
  const safe = Array.from(id, (letter) =>
    /[A-Za-z0-9-]/.test(letter) ? letter : `_${(letter.codePointAt(0) ?? 0).toString(16)}_`,
  );
  return `connectors/${safe.join("")}`;
}
