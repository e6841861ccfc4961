/**
 * Checks archive files: every record is whole and has the digests that it states; and, for a crawl,
 * every line of its log has its record, and every answer its line. Both are walked in the order of
 * file and offset, so memory does not grow. Records are handed on to those who read their links.
 */
import { type ReadRecord, type ScanStep, verifyRecord } from "../../../formats/warc/index.ts";
import type { ArchivedLinks } from "./archived-links.ts";
import type { ProblemList } from "./problem-list.ts";

/** Where a line of the crawl log says that a record is. */
export interface LoggedPlace {
  readonly warc: string;
  readonly offset: number;
  readonly length: number;
  readonly digest: string | null;
  readonly url: string;
  /** What its links are read with (`ArchivedLinks`); null if they are not. */
  readonly page: string | null;
}

export interface CheckedFile {
  readonly name: string;
  /** As users know it. */
  readonly path: string;
  /** Whether nothing is added any more, so that every answer must have its line. */
  readonly isSettled: boolean;
  readonly steps: AsyncIterable<ScanStep>;
}

export interface RecordCounts {
  files: number;
  records: number;
}

const LOST =
  "The other records can be read; to have this page again, restore the file from a copy, or let `trobar store verify --rebuild` queue it.";
const UNLOGGED =
  "The answer is in the archive but in no list of pages; `--warc` with this file shows it.";
const ANSWERS: ReadonlySet<string> = new Set(["response", "revisit", "resource"]);

export interface RecordCheckParts {
  readonly problems: ProblemList;
  readonly counts: RecordCounts;
  /** Null when there is no log to compare with. */
  readonly places: Iterator<LoggedPlace> | null;
  /** Given the records whose links are read. */
  readonly links: Pick<ArchivedLinks, "take" | "lose"> | null;
}

export class RecordCheck {
  readonly #problems: ProblemList;
  readonly #counts: RecordCounts;
  readonly #places: Iterator<LoggedPlace> | null;
  readonly #links: RecordCheckParts["links"];
  #next: LoggedPlace | null = null;

  constructor({ problems, counts, places, links }: RecordCheckParts) {
    this.#problems = problems;
    this.#counts = counts;
    this.#places = places;
    this.#links = links;
    this.#advance();
  }

  /** Files come in the order of their names. */
  async check(file: CheckedFile, told: () => void): Promise<void> {
    this.#missing(file.name);
    this.#counts.files += 1;
    for await (const step of file.steps) {
      told();
      if (step.kind === "record") await this.#record(file, step.record);
      else {
        const problem = `${step.lengthBytes} bytes cannot be read: ${step.reason}`;
        this.#problems.add({
          ...{ file: file.path, at: step.offset, url: null, problem, remedy: LOST },
        });
      }
    }
    this.#unmatched(file, Number.POSITIVE_INFINITY);
  }

  /** What the log says of files that are not there. */
  end(): void {
    this.#missing(null);
  }

  async #record(file: CheckedFile, record: ReadRecord): Promise<void> {
    this.#counts.records += 1;
    const { offset, targetUri: url, type } = record;
    const verdict = verifyRecord(record);
    const isWhole = verdict.block !== "wrong" && verdict.payload !== "wrong";
    if (!isWhole) {
      const problem = "its bytes do not have the digest that the record states";
      this.#problems.add({ file: file.path, at: offset, url, problem, remedy: LOST });
    }
    if (this.#places === null) return;
    this.#unmatched(file, offset);
    const place = this.#next;
    if (place !== null && place.warc === file.name && place.offset === offset) {
      const isSame = this.#isSame(file, record, place);
      this.#advance();
      if (isWhole && isSame) await this.#readLinks(place, record);
      else this.#loseLinks(place);
    } else if (ANSWERS.has(type) && (file.isSettled || this.#hasMoreIn(file))) {
      const problem = "no line of the crawl log names this answer";
      this.#problems.add({ file: file.path, at: offset, url, problem, remedy: UNLOGGED });
    }
  }

  async #readLinks({ url, page }: LoggedPlace, record: ReadRecord): Promise<void> {
    if (page !== null) await this.#links?.take(url, page, record);
  }

  #loseLinks({ url, page }: LoggedPlace): void {
    if (page !== null) this.#links?.lose(url, page);
  }

  #isSame(file: CheckedFile, record: ReadRecord, place: LoggedPlace): boolean {
    const { offset, lengthBytes, targetUri, fields } = record;
    const digest = fields.get("WARC-Payload-Digest");
    const differs =
      lengthBytes !== place.length
        ? `is ${lengthBytes} bytes long and not ${place.length}`
        : targetUri !== place.url
          ? `is that of ${targetUri ?? "no page"}`
          : digest !== null && place.digest !== null && digest !== place.digest
            ? "has another digest"
            : null;
    if (differs === null) return true;
    const problem = `the record ${differs}, unlike the crawl log says`;
    const remedy = "Restore the file and the crawl log from one and the same copy.";
    this.#problems.add({ file: file.path, at: offset, url: place.url, problem, remedy });
    return false;
  }

  /** Lines whose records should begin before this offset. */
  #unmatched(file: CheckedFile, before: number): void {
    for (let place = this.#next; place !== null; place = this.#next) {
      if (place.warc !== file.name || place.offset >= before) return;
      const problem = "no record begins where the crawl log says that the answer is";
      const { offset: at, url } = place;
      this.#problems.add({ file: file.path, at, url, problem, remedy: LOST });
      this.#loseLinks(place);
      this.#advance();
    }
  }

  /** Lines of files before this one; null for all that are left. */
  #missing(name: string | null): void {
    while (this.#next !== null && (name === null || this.#next.warc < name)) {
      const { warc } = this.#next;
      let count = 0;
      for (; this.#next !== null && this.#next.warc === warc; count += 1) {
        this.#loseLinks(this.#next);
        this.#advance();
      }
      const problem = `the file is missing, with ${count} answers that the crawl log names`;
      const remedy =
        "Restore it from a copy, or let `trobar store verify --rebuild` queue its pages; those in other " +
        "files are not affected.";
      this.#problems.add({ file: `warc/${warc}`, at: null, url: null, problem, remedy });
    }
  }

  #hasMoreIn({ name }: CheckedFile): boolean {
    return this.#next !== null && this.#next.warc === name;
  }

  #advance(): void {
    const step = this.#places?.next();
    this.#next = step === undefined || step.done === true ? null : step.value;
  }
}
