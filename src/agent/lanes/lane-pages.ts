/**
 * What a lane knows of pages by asking or telling the desk: whether a page was seen before, its row in
 * the page index, its links in the graph, its row of `--pages`.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Done } from "../../base/seams/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { CrawlLine } from "../../store/archive/index.ts";
import type { PageRow } from "../../store/export/index.ts";
import type { PageNews } from "../../store/index/index.ts";
import type { LinkLines } from "../../store/links/index.ts";
import type { LinkSink } from "../topology/roles.ts";
import type {
  Answered,
  ComparedPage,
  DuplicatesMarks,
  Guard,
  KnownPages,
  SoughtPage,
} from "../visit/duplicates.ts";
import { failedPage, loggedPage, pastPage, type RowRules } from "../visit/indexed-row.ts";
import type { PageIndex } from "../visit/page-indexing.ts";
import type { RowTaker } from "../visit/page-rows.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { PagesUnderWay } from "../visit/pages-under-way.ts";
import type { DeskLink } from "./desk-link.ts";

/** Why some parts of a lane are never asked: what they would do is done by the desk. */
const DESK_DOES: () => never = () => {
  throw new Error("what exists once is committed and saved by the desk");
};

export class LanePages implements KnownPages {
  readonly #desk: DeskLink;

  constructor(desk: DeskLink) {
    this.#desk = desk;
  }

  seek(compared: ComparedPage, page: SoughtPage, guard: Guard, answered: Answered): void {
    this.#desk.ask(
      (id) => ({ kind: "seek", id, page, compared }),
      (error, answer) =>
        guard(() => {
          if (error !== null) throw error;
          if (answer?.kind === "found") answered(answer.found, answer.number);
        }),
    );
  }

  retry(): void {}

  checkpoint(_done: Done<DuplicatesMarks>): void {
    DESK_DOES();
  }

  keepOnly(_marks: DuplicatesMarks): void {
    DESK_DOES();
  }
}

/** The line of a page that gets a row. */
interface AwaitedLine {
  readonly line: number;
}

export class LaneIndex implements PageIndex {
  readonly #desk: DeskLink;
  readonly #rows: RowRules;
  readonly #lastLine: () => number;
  readonly #underWay = new PagesUnderWay();
  readonly texts = null;
  #replayed = 0;
  due: () => void = () => {};

  /** `lastLine` is the number of the line that was taken last. */
  constructor(desk: DeskLink, rows: RowRules, lastLine: () => number) {
    this.#desk = desk;
    this.#rows = rows;
    this.#lastLine = lastLine;
  }

  get writer(): DeskLink {
    return this.#desk;
  }

  /** What becomes known of it is posted after its row. */
  begin(page: Fingerprint): void {
    this.#underWay.begin(page);
  }

  /** A page that is replayed has its line in the log already: it is numbered from the other end. */
  expect(isReplayed = false): AwaitedLine {
    if (isReplayed) this.#replayed += 1;
    const line = isReplayed ? -1 - this.#replayed : this.#lastLine();
    this.#desk.post({ kind: "expect", line });
    return { line };
  }

  add(visit: PageVisit, added: () => void): void {
    const expected = visit.expected as AwaitedLine | null;
    const page = expected === null ? null : loggedPage(visit, this.#rows);
    if (expected !== null && page !== null) {
      this.#desk.post({ kind: "row", line: expected.line, page });
    }
    added();
  }

  addFailed(ticket: Ticket, error: ErrorCode, atMs: number): void {
    const { line } = this.expect();
    const page = failedPage(ticket, error, atMs, this.#rows.rules);
    this.#desk.post({ kind: "row", line, page });
    this.#desk.post({ kind: "ended", line, number: null });
  }

  addPast(past: CrawlLine, ticket: Ticket): void {
    const page = pastPage(past, ticket, this.#rows.rules);
    if (page === null) return;
    const { line } = this.expect(true);
    this.#desk.post({ kind: "row", line, page });
    this.#desk.post({ kind: "ended", line, number: null });
  }

  improve({ high, low }: Fingerprint, change: PageNews): void {
    if (this.#underWay.tryKeep({ high, low }, change)) return;
    this.#desk.post({ kind: "improve", page: { high, low }, change });
  }

  ended({ expected, record, isTold, errand }: PageVisit): void {
    const line = (expected as AwaitedLine | null)?.line ?? null;
    if (line !== null || record.number !== null) {
      this.#desk.post({ kind: "ended", line, number: record.number });
    }
    const news = isTold ? this.#underWay.end(errand.ticket) : null;
    if (news !== null) this.improve(errand.ticket, news);
  }

  commit(): void {
    DESK_DOES();
  }

  flush(): void {
    DESK_DOES();
  }

  flushRows(): void {
    DESK_DOES();
  }
}

/** What is sent to the desk waits for the desk's room. */
class DeskBound {
  protected readonly desk: DeskLink;

  constructor(desk: DeskLink) {
    this.desk = desk;
  }

  get hasRoom(): boolean {
    return this.desk.hasRoom;
  }

  whenRoom(callback: () => void): void {
    this.desk.whenRoom(callback);
  }
}

export class LaneGraph extends DeskBound implements LinkSink {
  flush(): void {
    DESK_DOES();
  }

  add(page: SoughtPage, { bytes, highs }: LinkLines): void {
    this.desk.post({ kind: "links", page, bytes, highs });
  }
}

export class LaneRows extends DeskBound implements RowTaker {
  /** The desk waits for the disk. */
  readonly isDiskFull = false;

  add(row: PageRow): void {
    this.desk.post({ kind: "output", row });
  }

  flush(done: Acknowledge): void {
    done(null);
  }

  mark(): void {
    DESK_DOES();
  }

  abandon(): void {}
}
