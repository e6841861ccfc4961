/**
 * Sends fetched pages to the process that asked for them, which records them. Every visit is passed on:
 * those that nobody asked for, and tries that were not the last, are recorded here.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { FetchedOutcome } from "../../base/seams/index.ts";
import { MIB } from "../../base/units/index.ts";
import { type ComponentDefinition, general, type Unit } from "../../topology/unit/index.ts";
import { ROLES, Visit } from "../topology/roles.ts";
import { readAll } from "../visit/answer-reading.ts";
import { isSuccess } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { AnswerItem } from "./fetch-items.ts";
import { visitTaker } from "./page-unit.ts";

const PROVIDERS = { ledger: ROLES.ledger };

/** What remote connectors carry in one item, less some room for headers. */
const BODY_BYTES_MAX = 63 * MIB;

export const ANSWERS: ComponentDefinition = general({
  name: "answers",
  inputs: { input: Visit },
  outputs: { output: Visit, answers: AnswerItem },
  providers: PROVIDERS,
  create: (unit) => {
    const { requests } = unit.providers.ledger;
    requests.answerBy(unit.emit.answers);
    const take = visitTaker(unit, {
      code: "INTERNAL_FETCH",
      wants: ({ isFinal, isRecorded, errand }) =>
        isFinal && !isRecorded && requests.isOpen(errand.ticket),
      work: (visit) => answer(unit, visit),
    });
    return { take: { input: take } };
  },
});

function answer(unit: Unit<typeof PROVIDERS>, visit: PageVisit): void {
  const { requests } = unit.providers.ledger;
  const { record, fault, errand } = visit;
  const { outcome } = record;
  const failed = (error: CrawlError): void => {
    requests.failed(errand.ticket, record, error);
    leave(visit);
  };
  if (outcome === null) {
    failed(fault ?? record.failure ?? new CrawlError("INTERNAL_FETCH", "It was not fetched."));
    return;
  }
  readAll(outcome.body, BODY_BYTES_MAX, (body) =>
    visit.guard(() => {
      if (body === null) failed(new CrawlError("FETCH_BODY_NOT_KEPT", "It could not be read."));
      else {
        count(unit, visit, outcome);
        requests.answer(errand.ticket, record, { ...bare(outcome), body });
        leave(visit);
      }
    }),
  );
}

/** The answer without its body. */
function bare(outcome: FetchedOutcome): Omit<FetchedOutcome, "body"> {
  const { kind, request, status, reason, headers, answerMs, truncatedBy, body } = outcome;
  const isCut = body.lengthBytes > BODY_BYTES_MAX;
  return {
    ...{ kind, request, status, reason, headers, answerMs },
    truncatedBy: isCut ? "length" : truncatedBy,
  };
}

/** Pages are counted by those who fetch them, too. */
function count(unit: Unit<typeof PROVIDERS>, { record }: PageVisit, { status }: FetchedOutcome) {
  const { counts } = unit.providers.ledger;
  counts.status.add(String(status));
  if (!isSuccess(status)) return;
  if (record.isRequisite) counts.requisites += 1;
  else counts.pages += 1;
}

/** Its line is written by the process that asked for it. */
function leave(visit: PageVisit): void {
  visit.isRecorded = true;
  visit.leave();
}
