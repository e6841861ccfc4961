/**
 * Answers that the archive does not keep, until a checkpoint knows their pages: a crawl that was killed
 * replays pages from their answers, and finds these here.
 *
 * `AnswerJournal` writes them, `findAnswers` finds them again. Read `answer-journal.ts` first;
 * docs/adr/0057 has the reasons, docs/data-on-disk.md the bytes.
 */
export { AnswerJournal, type AnswerJournalOptions } from "./answer-journal.ts";
export { checkAnswers } from "./check-answers.ts";
export {
  type FoundAnswers,
  findAnswers,
  type JournaledAnswer,
  settleAnswers,
} from "./found-answers.ts";
export { KEPT_FIELDS } from "./kept-fields.ts";
