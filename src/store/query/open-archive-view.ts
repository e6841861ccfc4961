/**
 * Opens archives that others made (WARC and ARC, of wget, warcio, Heritrix and so on) as if they were
 * a crawl: every answer becomes a line of a crawl log in a temporary folder.
 */
import { hash } from "node:crypto";
import { basename, join } from "node:path";
import { type OpenedLog, openLog } from "../../base/log/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { keyOf } from "../../formats/url/index.ts";
import { CRAWL_LOG, CRAWL_LOG_LIMITS, HeldLines, WARC_FOLDER } from "../archive/index.ts";
import {
  archiveName,
  isPackedAsWhole,
  linkFile,
  scanFile,
  sizeOf,
  unpackFile,
} from "./archive-files.ts";
import { lineOfRecord, parseArchiveUrl } from "./archive-lines.ts";
import { CrawlView } from "./crawl-view.ts";

export interface ArchiveViewOptions {
  readonly paths: readonly string[];
  /** A folder that exists, is empty, and is removed by the caller. */
  readonly scratch: string;
  /** Told what a user should know of a file, such as damage. */
  readonly tell: (path: string, note: string) => void;
}

export async function openArchiveView(options: ArchiveViewOptions): Promise<CrawlView> {
  const { paths, scratch } = options;
  const storage = new DiskStorage(scratch);
  const random = new SeededRandom(freshSeed());
  const { log } = await answered<OpenedLog>((done) =>
    openLog({ storage, random, name: CRAWL_LOG, framing: "line", ...CRAWL_LOG_LIMITS }, done),
  );
  const lines = new HeldLines(log);
  const commit = (): Promise<void> => answered((done) => log.commit(done));
  const taken = new Set<string>();
  for (const path of paths) {
    const name = archiveName(path, taken);
    taken.add(name);
    for await (const line of linesOf(path, name, options)) {
      lines.add(line, 0);
      while (lines.release(0)) await commit();
    }
  }
  await commit();
  await answered((done) => log.close(done));
  const facts = paths.map((path) => `${basename(path)} ${sizeOf(path)}`);
  return new CrawlView({
    ...{ storage, name: archiveTitle(paths), id: hash("sha1", facts.join("\n"), "hex") },
    keyOf: (url) => {
      const parsed = parseArchiveUrl(url);
      return parsed.kind === "refused" ? null : keyOf(parsed.url);
    },
    ...{ links: null, index: null, readsPages: true, faults: [] },
  });
}

/** The name of the first file, without what says how it is compressed. */
export function archiveTitle([first = "archive"]: readonly string[]): string {
  return (
    basename(first)
      .replace(/\.(?:gz|zst)$/i, "")
      .replace(/\.w?arc$/i, "") || "archive"
  );
}

async function* linesOf(path: string, name: string, { scratch, tell }: ArchiveViewOptions) {
  const folder = join(scratch, WARC_FOLDER);
  let source = path;
  if (await isPackedAsWhole(path)) {
    const isWhole = await unpackFile(path, folder, name);
    source = join(folder, name);
    tell(path, "is compressed as a whole, not record by record, so it was unpacked to be read");
    if (!isWhole) tell(path, "ends in the middle or is damaged: what comes after is missing");
  } else linkFile(path, folder, name);
  let damaged = 0;
  for await (const step of scanFile(source)) {
    if (step.kind === "damage") {
      damaged += 1;
      if (damaged <= DAMAGE_TOLD_MAX) {
        tell(path, `cannot be read from ${step.offset}, ${step.lengthBytes} bytes: ${step.reason}`);
      }
      continue;
    }
    const line = lineOfRecord(step.record, name);
    if (line !== null) yield line;
  }
  if (damaged > DAMAGE_TOLD_MAX) tell(path, `has ${damaged - DAMAGE_TOLD_MAX} more such places`);
}

const DAMAGE_TOLD_MAX = 5;
