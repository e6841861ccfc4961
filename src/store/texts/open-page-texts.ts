/**
 * Opening the texts of a crawl to add to them. The log is cut to the length that the page index knows,
 * since no row refers to what is behind it.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { type Log, type OpenedLog, openLog, type Position } from "../../base/log/index.ts";
import {
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { PageTexts, type PageTextsParts } from "./page-texts.ts";

export const TEXT_LOG: FileName = "texts/pages";

/** About fifty pages, which are unpacked in half a millisecond. */
const BLOCK_CHARACTERS = 256 * 1024;

export interface PageTextsOptions extends Pick<PageTextsParts, "clock" | "background" | "failed"> {
  readonly storage: Storage;
  /** For the salt of a new log. */
  readonly random: Random;
  /** The log's length, as the page index knows it: 0 for a new crawl. */
  readonly end: Position;
  readonly blockCharacters?: number;
}

/** `TEXTS_DAMAGED` when texts are missing that rows of the index refer to. */
export function openPageTexts(options: PageTextsOptions, done: Done<PageTexts>): void {
  const { storage, random, end, blockCharacters = BLOCK_CHARACTERS } = options;
  const opened = ({ log }: OpenedLog): void => {
    const fail = (error: CrawlError): void => log.close(() => done(error, undefined));
    const take = (): void => done(null, new PageTexts({ ...options, log, blockCharacters }));
    // Without the folder rows lead nowhere, which their readers see: the URL of a text is not theirs.
    if (log.end > 0 && log.end < end) fail(tooShort(log, end));
    else if (log.end > end) log.cutTo(end, whenDone(fail, take));
    else take();
  };
  const durable = { framing: "binary", durableEnd: end } as const;
  openLog({ storage, random, name: TEXT_LOG, ...durable }, withValue(done, opened));
}

function tooShort(log: Log, end: Position): CrawlError {
  return damagedTexts(`it has ${log.end} bytes, and the page index refers to ${end}`);
}

export function damagedTexts(reason: string): CrawlError {
  const message =
    `The texts of the crawl are damaged: ${TEXT_LOG}: ${reason}. Make them again with ` +
    "`trobar store verify --rebuild`, or remove the folder: texts are then read from the archive.";
  return new CrawlError("TEXTS_DAMAGED", message, { file: TEXT_LOG, reason });
}
