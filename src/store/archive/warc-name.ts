/**
 * Names of archive files: `warc/NAME-TIMESTAMP-SERIAL-AGENT.warc.gz`, as crawlers have always
 * written them, and the same with `.open` behind it while the file grows. A serial is never used
 * twice in one crawl directory, so two files begun in one millisecond have different names.
 */
import type { FileName } from "../../base/seams/index.ts";
import type { WarcCompression } from "../../formats/warc/index.ts";

export interface WarcNameParts {
  /** The crawl's name. */
  readonly name: string;
  readonly agent: string;
  readonly compression: WarcCompression;
  readonly createdAtMs: number;
  readonly serial: number;
}

export const WARC_FOLDER: FileName = "warc";
const OPEN = ".open";
const ENDINGS: Readonly<Record<WarcCompression, string>> = { gzip: ".gz", zstd: ".zst", none: "" };
const WARC_NAME = /^warc\/.+-\d{17}-(\d{5,})-[^/]+\.warc(?:\.gz|\.zst)?(?:\.open)?$/;

/** The name that the file will have when it is whole. */
export function warcFileName(parts: WarcNameParts): FileName {
  const timestamp = new Date(parts.createdAtMs).toISOString().replace(/\D/g, "");
  const serial = String(parts.serial).padStart(5, "0");
  const ending = ENDINGS[parts.compression];
  return `${WARC_FOLDER}/${parts.name}-${timestamp}-${serial}-${parts.agent}.warc${ending}`;
}

/** The name of the file while it grows. */
export function openName(file: FileName): FileName {
  return file + OPEN;
}

/** The name that an open file will have when it is whole; null for files that are not open. */
export function finalName(file: FileName): FileName | null {
  return WARC_NAME.test(file) && file.endsWith(OPEN) ? file.slice(0, -OPEN.length) : null;
}

/** The serial of an archive file; null for any other file. */
export function serialOf(file: FileName): number | null {
  const serial = WARC_NAME.exec(file)?.[1];
  return serial === undefined ? null : Number(serial);
}

/** The name without its folder: what the crawl log, indexes and the file itself say. */
export function baseName(file: FileName): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
