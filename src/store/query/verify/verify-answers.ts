/**
 * Checks the journals of answers that the archive does not keep (`spool/answers`): a crawl that was killed
 * reads what follows its checkpoint once more, robots.txt files and sitemaps too, and has these answers from
 * there. Each frame is as it was written, and each line that needs an answer finds it, with the digest that
 * it names. Answers that no line names were on their way to the log, or are known by the checkpoint.
 */
import { answered, type FileName, type Storage } from "../../../base/seams/index.ts";
import { sha1Digest } from "../../../formats/warc/index.ts";
import {
  checkAnswers,
  type FoundAnswers,
  findAnswers,
  type JournaledAnswer,
} from "../../answers/index.ts";
import { type CrawlLine, isFinal, noteOf } from "../../archive/index.ts";
import { ProblemList } from "./problem-list.ts";

/** What a crawl reads once more when it goes on. */
export interface ReplayedLines {
  /** Where the lines begin. */
  readonly from: number;
  /** Whether answers are archived, unless their lines say otherwise. */
  readonly archives: boolean;
  /** Whether the checkpoint is still the same: a crawl that runs empties its journals after each. */
  readonly isStill: () => Promise<boolean>;
}

const FOLDER = "spool/answers";
const REMEDY =
  "When the crawl goes on, it cuts its log there, and fetches again what follows: no page is lost.";

/** A line whose answer is not in the archive. */
type Wanted = Pick<CrawlLine, "url" | "atMs" | "digest">;

export class AnswerCheck {
  readonly #storage: Storage;
  readonly #replayed: ReplayedLines;
  /** No more than a crawl does between two checkpoints. */
  readonly #wanted: Wanted[] = [];

  constructor(storage: Storage, replayed: ReplayedLines) {
    this.#storage = storage;
    this.#replayed = replayed;
  }

  addLine(line: CrawlLine, position: number): void {
    const { from, archives } = this.#replayed;
    if (position < from || typeof line.result === "string") return;
    if (!isFinal(line)) return;
    const isKept = noteOf(line, "noarchive") === null && noteOf(line, "unstored") === null;
    const { url, atMs, digest } = line;
    // What another agent has sent may have come without its body.
    const isHere = noteOf(line, "from") === null;
    if (!archives || !isKept) this.#wanted.push({ url, atMs, digest: isHere ? digest : null });
  }

  /** After the last line: an answer is written before its line. */
  async compare(problems: ProblemList): Promise<void> {
    const found = new ProblemList();
    const tell = (file: FileName, at: number | null, problem: string, url: string | null): void =>
      found.add({ file, at, url, problem, remedy: REMEDY });
    const areWhole = await checkAnswers(this.#storage, (...told) => tell(...told, null));
    if (areWhole) {
      const answers = await answered<FoundAnswers>((done) => findAnswers(this.#storage, done));
      for (const line of this.#wanted) {
        const problem = await problemOf(answers, line);
        if (problem !== null) tell(FOLDER, null, problem, line.url);
      }
    }
    if (found.count > 0 && (await this.#replayed.isStill())) problems.addAll(found);
  }
}

async function problemOf(
  answers: FoundAnswers,
  { url, atMs, digest }: Wanted,
): Promise<string | null> {
  const answer = await answered<JournaledAnswer | null>((done) => answers.answer(url, atMs, done));
  if (answer === null) return "the answer of a line that follows the checkpoint is not there";
  const isSame = digest === null || digest === sha1Digest(answer.payload);
  return isSame ? null : "the answer does not have the digest that its line names";
}
