/**
 * Takes what lanes post, in the order in which each of them posted it, and answers their questions. What
 * a lane posted in one turn is taken in one turn, so a commit never falls between a line and its row. The
 * desk takes everything, and tells lanes that it has room for more only when it has: a lane that hears
 * nothing holds back.
 */
import { carry, rebuild } from "../../base/background/index.ts";
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Expected } from "../../store/index/index.ts";
import type { LinkGraph } from "../../store/links/index.ts";
import type { Ledger } from "../topology/roles.ts";
import type { KnownPages } from "../visit/duplicates.ts";
import type { LoggedPage } from "../visit/indexed-row.ts";
import type { PageIndexing } from "../visit/page-indexing.ts";
import type { PageRows } from "../visit/page-rows.ts";
import type { DeskStore } from "./desk-store.ts";
import type { LaneAnswer, LaneItem, LanePost, SeekItem } from "./lane-messages.ts";
import { readLanePost } from "./lane-posts.ts";
import type { LaneProxy } from "./lane-proxy.ts";
import { callSeeds } from "./lane-seeds.ts";
import { RowsUnderWay } from "./rows-under-way.ts";

export interface DeskIntakeParts {
  readonly clock: Clock;
  readonly store: DeskStore;
  readonly index: PageIndexing | null;
  readonly duplicates: Pick<KnownPages, "seek">;
  readonly graph: LinkGraph | null;
  readonly rows: PageRows | null;
  readonly ledger: Pick<Ledger, "faults" | "seeds" | "refusals">;
  /** What the desk itself is to decide. */
  readonly told: (lane: LaneProxy, item: DeskItem) => void;
}

/** Items that are not about pages. */
export type DeskItem = Extract<
  LaneItem,
  {
    readonly kind:
      | ("report" | "failed" | "limit" | "idle" | "freed" | "replayed")
      | ("entry" | "member");
  }
>;

/** Fewer items are acknowledged with the next answers. A lane may have many times as many posted. */
const TAKEN_MIN = 500;

interface Room {
  readonly hasRoom: boolean;
  whenRoom(callback: () => void): void;
}

/** A line that was posted, or whose row came before it. */
interface AwaitedLine {
  batch: Expected | null;
  page: LoggedPage | null;
  isEnded: boolean;
  /** Of the page, once it has ended. */
  number: number | null;
}

class LaneLines {
  readonly lane: LaneProxy;
  /** Lines that have come. */
  count = 0;
  /** Those that get a row. */
  readonly awaited = new Map<number, AwaitedLine>();
  readonly rows = new RowsUnderWay();
  answers: LaneAnswer[] = [];
  /** Items that were taken and not yet acknowledged. */
  owed = 0;

  constructor(lane: LaneProxy) {
    this.lane = lane;
  }
}

export class DeskIntake {
  readonly #parts: DeskIntakeParts;
  readonly #lanes = new Map<LaneProxy, LaneLines>();
  #isWaiting = false;

  constructor(parts: DeskIntakeParts) {
    this.#parts = parts;
  }

  take(lane: LaneProxy, post: LanePost): void {
    const lines = this.#linesOf(lane);
    readLanePost(post, (item) => this.#takeItem(lines, item));
    lines.owed += post.count;
    this.#acknowledge();
  }

  /** Calls back when all rows that have come from this lane can be found by their pages. */
  whenNumbered(lane: LaneProxy, done: () => void): void {
    this.#linesOf(lane).rows.whenNone(done);
  }

  #linesOf(lane: LaneProxy): LaneLines {
    const known = this.#lanes.get(lane);
    if (known !== undefined) return known;
    const lines = new LaneLines(lane);
    this.#lanes.set(lane, lines);
    return lines;
  }

  #takeItem(lines: LaneLines, item: LaneItem): void {
    const { store, index, graph, rows, ledger } = this.#parts;
    switch (item.kind) {
      case "line":
        store.records.append(item.bytes);
        lines.count += 1;
        this.#lineCame(lines, lines.count - 1);
        break;
      case "log":
        store.settleLog(item.isDurable, (error) => {
          const carried = error === null ? null : carry(error);
          lines.lane.post({ kind: "logged", id: item.id, error: carried });
        });
        break;
      case "expect":
        lines.awaited.set(item.line, { batch: null, page: null, isEnded: false, number: null });
        if (item.line < lines.count) this.#lineCame(lines, item.line);
        break;
      case "row":
        this.#rowCame(lines, item.line, item.page);
        break;
      case "ended":
        this.#lineEnded(lines, item.line, item.number);
        break;
      case "improve":
        index?.improve(item.page, item.change);
        break;
      case "links":
        graph?.add(item.page, item);
        break;
      case "output":
        rows?.writer?.add(item.row);
        break;
      case "seek":
        this.#seek(lines, item);
        break;
      case "claim":
        this.#answer(lines, {
          kind: "claimed",
          id: item.id,
          original: store.records.claim(item.claim),
        });
        break;
      case "fault":
        ledger.faults.note(rebuild(item.error), item.url);
        break;
      case "refusal":
        ledger.refusals?.note(item.reason, item.url, item.via, () => item.rule);
        break;
      case "dropped":
        ledger.refusals?.dropped(item.reason, item.count);
        break;
      case "seed":
        callSeeds(ledger.seeds, item.call);
        break;
      default:
        this.#parts.told(lines.lane, item);
    }
  }

  #seek(lines: LaneLines, { id, compared, page }: SeekItem): void {
    let isAnswered = false;
    const guard = (work: () => void): void => {
      try {
        work();
      } catch (thrown) {
        const what = `the work on ${page.url}`;
        const error = faultOf(thrown, { code: "INTERNAL_DUPLICATES", what, isOver: isAnswered });
        isAnswered = true;
        this.#answer(lines, { kind: "fault", id, error: carry(error) });
      }
    };
    guard(() =>
      this.#parts.duplicates.seek(compared, page, guard, (found, number) => {
        isAnswered = true;
        this.#answer(lines, { kind: "found", id, found, number });
      }),
    );
  }

  /** The answers of one turn go together. */
  #answer(lines: LaneLines, answer: LaneAnswer): void {
    lines.answers.push(answer);
    if (lines.answers.length > 1) return;
    this.#parts.clock.after(0, () => {
      const { answers } = lines;
      const taken = this.#isWaiting ? 0 : lines.owed;
      lines.answers = [];
      lines.owed -= taken;
      lines.lane.post({ kind: "answers", answers, taken });
    });
  }

  /** From here on the index waits for the row of this line, if one was announced. */
  #lineCame(lines: LaneLines, line: number): void {
    const { index } = this.#parts;
    const awaited = lines.awaited.get(line);
    if (awaited === undefined || index === null) return;
    awaited.batch = index.expect() as Expected;
    if (awaited.page !== null) this.#addRow(lines, awaited.page, awaited.batch);
    if (awaited.isEnded) this.#lineEnded(lines, line, awaited.number);
  }

  #rowCame(lines: LaneLines, line: number, page: LoggedPage): void {
    const awaited = lines.awaited.get(line);
    if (awaited === undefined) return;
    awaited.page = page;
    // Its line may come later: what becomes known of the page until then is kept.
    this.#parts.index?.begin(page.ticket);
    if (awaited.batch !== null) this.#addRow(lines, page, awaited.batch);
  }

  #lineEnded(lines: LaneLines, line: number | null, number: number | null): void {
    const { index } = this.#parts;
    const awaited = line === null ? undefined : lines.awaited.get(line);
    if (awaited === undefined) index?.settle(null, number);
    else if (awaited.batch === null) {
      awaited.isEnded = true;
      awaited.number = number;
    } else if (line !== null) {
      lines.awaited.delete(line);
      index?.settle(awaited.batch, number);
    }
  }

  #addRow(lines: LaneLines, page: LoggedPage, batch: Expected): void {
    const { index, ledger } = this.#parts;
    const numbered = lines.rows.begin();
    const guard = (work: () => void): void => {
      try {
        work();
      } catch (thrown) {
        const what = `the row of ${page.ticket.url}`;
        const error: CrawlError = faultOf(thrown, { code: "INTERNAL_STORE", what, isOver: false });
        ledger.faults.note(error, page.ticket.url);
        over();
      }
    };
    const over = (): void => {
      numbered();
      index?.over(page.ticket, batch);
      index?.settle(batch, null);
    };
    // It is held until it has its number.
    index?.writer.hold(batch);
    guard(() => index?.addLogged(page, batch, guard, over));
  }

  /** Tells lanes of room for more, where that is worth a message. */
  #acknowledge(itemsMin = TAKEN_MIN): void {
    if (this.#isWaiting) return;
    const { store, index, graph, rows } = this.#parts;
    const rooms: (Room | null)[] = [
      ...[store, index?.writer ?? null, index?.texts ?? null, graph, rows?.writer ?? null],
    ];
    const full = rooms.find((room) => room?.hasRoom === false);
    if (full != null) {
      this.#isWaiting = true;
      full.whenRoom(() => {
        this.#isWaiting = false;
        this.#acknowledge(1);
      });
      return;
    }
    for (const lines of this.#lanes.values()) {
      if (lines.owed < itemsMin) continue;
      lines.lane.post({ kind: "taken", items: lines.owed });
      lines.owed = 0;
    }
  }
}
