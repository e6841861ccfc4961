/**
 * The parser in another process: sends the content of pages there as documents, and lets their visits go
 * on when the parsed pages come back.
 *
 * The other process is a help and never a condition: a page is parsed here, with the same result, if its
 * body is on disk, if modules of the user parse too, if as much as may be is away already, if nothing has
 * come back for too long, or if the visit is cancelled. So nothing hangs when the other process is gone,
 * and nothing is lost.
 *
 * Invariant: `#away` has every document that was sent and not answered, also those whose visits have gone
 * on without it. It is bounded in number and bytes; as long as the connector that carries the documents
 * has room for this much, it never holds the crawl up.
 */
import type { Timer } from "../../base/seams/index.ts";
import { counter } from "../../base/telemetry/index.ts";
import { HOUR_MS, MIB, SECOND_MS } from "../../base/units/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import { key, value } from "../../rules/settings/index.ts";
import { type ComponentDefinition, general, type Unit } from "../../topology/unit/index.ts";
import { Visit } from "../topology/roles.ts";
import type { ReadPage } from "../visit/page-record.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { visitTaker } from "./page-unit.ts";
import { DocumentItem, PageItem, type ReturnedPage, type SentDocument } from "./parse-items.ts";
import { leaveParsed, PARSER_PROVIDERS, parseHere, whenToBeParsed } from "./parser.ts";

const LOOK_MS = SECOND_MS;

interface Settings {
  readonly awayPages: number;
  readonly awayBytes: number;
  readonly patience: number;
}

const SETTINGS = {
  awayPages: key(value.count({ min: 1, max: 100_000 }), {
    default: 256,
    meaning: "Pages that are at the other process at once; further ones are parsed here.",
    live: true,
  }),
  awayBytes: key(value.byteSize({ min: 1 }), {
    default: 32 * MIB,
    meaning: "What these pages may take in bytes. The connector needs room for it.",
    live: true,
  }),
  patience: key(value.duration({ min: 1, max: HOUR_MS }), {
    default: 10 * SECOND_MS,
    meaning: "A page that has not come back after this time is parsed here.",
    live: true,
  }),
};

const METRICS = {
  sent: counter("pages sent to the other process"),
  returned: counter("pages that came back in time"),
  late: counter("pages that did not, and were parsed here"),
  here: counter("pages that were not sent, and were parsed here"),
  unclaimed: counter("pages that came back when nobody waited for them any more"),
};

export const REMOTE_PARSER: ComponentDefinition = general({
  name: "remote-parser",
  inputs: { input: Visit, parsed: PageItem },
  outputs: { output: Visit, documents: DocumentItem },
  providers: PARSER_PROVIDERS,
  settings: SETTINGS,
  metrics: METRICS,
  create: (unit) => {
    const { providers } = unit;
    const parsing = new RemoteParsing(unit, unit.emit.documents);
    const take = visitTaker(unit, {
      code: "INTERNAL_PARSE",
      wants: ({ page }) => page !== null,
      work: (visit) => whenToBeParsed(providers, visit, (page) => parsing.begin(visit, page)),
    });
    return {
      take: { input: take, parsed: (returned) => parsing.returned(returned) },
      close: () => parsing.close(),
    };
  },
});

type ParserUnit = Unit<typeof PARSER_PROVIDERS, Settings, typeof METRICS>;

/** A document at the other process, and the visit that waits for it. */
interface Away {
  readonly bytes: number;
  readonly sentAtMs: number;
  /** Null when the visit has gone on without it. */
  answer: ((parsed: ParsedPage | null) => void) | null;
}

class RemoteParsing {
  readonly #unit: ParserUnit;
  readonly #send: (document: SentDocument) => void;
  readonly #run: string;
  /** By number, in the order in which they were sent. */
  readonly #away = new Map<number, Away>();
  #awayBytes = 0;
  #numbered = 0;
  #timer: Timer | null = null;

  constructor(unit: ParserUnit, send: (document: SentDocument) => void) {
    this.#unit = unit;
    this.#send = send;
    this.#run = `${unit.name} ${unit.clock.wallMs()}`;
  }

  begin(visit: PageVisit, page: ReadPage): void {
    const { providers, metrics } = this.#unit;
    const document = this.#document(visit, page);
    if (document === null) {
      metrics.here.add();
      parseHere(providers, visit, page);
      return;
    }
    metrics.sent.add();
    this.#wait(visit, page, document);
    this.#send(document);
  }

  returned({ run, number, page }: ReturnedPage): void {
    const { metrics } = this.#unit;
    const away = run === this.#run ? this.#away.get(number) : undefined;
    if (away !== undefined) {
      this.#away.delete(number);
      this.#awayBytes -= away.bytes;
    }
    if (away?.answer === null || away === undefined) metrics.unclaimed.add();
    else {
      metrics.returned.add();
      away.answer(page);
    }
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (const away of this.#away.values()) this.#goOn(away);
  }

  /** Null if it is to be parsed here. */
  #document(visit: PageVisit, { outcome, decoded }: ReadPage): SentDocument | null {
    const { settings, providers } = this.#unit;
    const { bytes } = decoded;
    const received = outcome.body.bytes;
    const { terms } = providers.parsing;
    if (bytes === null || received === null || terms === null || visit.isCancelled) return null;
    const isDecoded = decoded !== outcome.body;
    const length = bytes.byteLength + (isDecoded ? received.byteLength : 0);
    if (this.#away.size >= settings.awayPages) return null;
    if (this.#awayBytes + length > settings.awayBytes) return null;
    const { isSitemap, isCut } = visit.record;
    this.#numbered += 1;
    return {
      ...{ run: this.#run, number: this.#numbered, terms },
      ...{ url: visit.errand.ticket.url, headers: outcome.headers, body: bytes },
      ...{ received: isDecoded ? received : null, isSitemap, isCut },
    };
  }

  #wait(visit: PageVisit, page: ReadPage, { number, body, received }: SentDocument): void {
    const { clock, providers } = this.#unit;
    const bytes = body.byteLength + (received?.byteLength ?? 0);
    const away: Away = { bytes, sentAtMs: clock.nowMs(), answer: null };
    this.#away.set(number, away);
    this.#awayBytes += bytes;
    let parsed: ParsedPage | null = null;
    const here = (): void => parseHere(providers, visit, page);
    const process = {
      whenRoom: (answered: () => void) => {
        away.answer = (given) => {
          away.answer = null;
          parsed = given;
          // After a fault the visit is elsewhere.
          if (visit.page === page) answered();
        };
      },
    };
    const again = (): void => {
      if (parsed === null) here();
      else leaveParsed(visit, page, parsed);
    };
    visit.wait.whenRoom(process, again, () => {
      away.answer = null;
      here();
    });
    if (this.#timer === null) this.#lookIn(this.#unit.settings.patience);
  }

  /** Lets visits go on that have waited too long, and looks again when the next one will have. */
  #look(): void {
    const { clock, settings } = this.#unit;
    this.#timer = null;
    const nowMs = clock.nowMs();
    for (const away of this.#away.values()) {
      if (away.answer === null) continue;
      const leftMs = away.sentAtMs + settings.patience - nowMs;
      if (leftMs > 0) {
        this.#lookIn(leftMs);
        return;
      }
      this.#goOn(away);
    }
  }

  /** Not much later, since another patience may be set meanwhile. */
  #lookIn(leftMs: number): void {
    const delayMs = Math.min(leftMs, LOOK_MS);
    this.#timer = this.#unit.clock.after(delayMs, () => this.#look());
  }

  /** Without the other process. */
  #goOn({ answer }: Away): void {
    if (answer === null) return;
    this.#unit.metrics.late.add();
    answer(null);
  }
}
