/** Whether archive and crawl log are those that a checkpoint knows. Where they are not, nothing is changed. */
import { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { ArchiveMarks } from "./archive-marks.ts";

/** What a checkpoint knows of the crawl log. */
export interface KnownLines {
  /** Where the lines end that it knows. They are there, and so are their records. */
  readonly end: Position;
  /** Whether there are no others, since the crawl ended in order. */
  readonly isAll: boolean;
  /** What else it knows, so that they need not be read; null if it does not. */
  readonly archive?: ArchiveMarks | null;
}

export interface FoundLines {
  /** Of the log. */
  readonly end: Position;
  /** From where its lines have no record; null if all have theirs. */
  readonly cutAt: Position | null;
  /** Why lines that have to be worked on again are not there; null if they are. */
  readonly foreign: string | null;
}

/** Why a crawl cannot go on with what was found; `known` is null without a checkpoint. */
export function misfitOf(
  known: KnownLines | null,
  { end, cutAt, foreign }: FoundLines,
): CrawlError | null {
  if (known !== null && cutAt !== null && cutAt < known.end) {
    return notAsKnown("an archive file is damaged before its end");
  }
  if (known !== null && end < known.end) {
    return notAsKnown(`the crawl log ends at ${end}, not at ${known.end}`);
  }
  if (known?.isAll === true && end > known.end) {
    return notAsKnown("the crawl log has lines that the checkpoint in crawl.db does not know");
  }
  return foreign === null ? null : notAsKnown(foreign);
}

function notAsKnown(why: string): CrawlError {
  const message =
    `The crawl cannot go on from its checkpoint: ${why}. \`trobar store verify\` says what is wrong, ` +
    "and `trobar store verify --rebuild` makes all again from what can be read of archive and crawl log.";
  return new CrawlError("CHECKPOINT_DAMAGED", message);
}
