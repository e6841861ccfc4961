/**
 * The downloader in another process: asks it for pages, and lets their visits go on with its answers as
 * if they had been fetched here. Robots.txt, names, politeness and retries are the other process's; the
 * frontier of this one gives out a page of each host at a time and does not wait.
 *
 * Several such units may share the visits of a tee: each takes those of its own part of the hosts, by
 * the hash of their domain, and lets go of the others. So a host is always asked by the same process.
 *
 * Invariant: `#away` has every request that was not answered. When a new life of the other process
 * begins, it is sent all of them again.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { FetchOutcome } from "../../base/seams/index.ts";
import { counter } from "../../base/telemetry/index.ts";
import { HostHasher, registrableDomain } from "../../formats/url/index.ts";
import type { PageErrand } from "../../frontier/front/index.ts";
import { key, value } from "../../rules/settings/index.ts";
import { type ComponentDefinition, general, type Unit } from "../../topology/unit/index.ts";
import { Visit } from "../topology/roles.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { DOWNLOADER_PROVIDERS, Downloads } from "./downloader.ts";
import {
  AnswerItem,
  type ClaimedAnswer,
  type FailedAnswer,
  type FetchedAnswer,
  type FetchFacts,
  type PageAnswer,
  type PageRequest,
  RequestItem,
  type UnfetchedAnswer,
} from "./fetch-items.ts";
import { memoryBody } from "./memory-body.ts";
import { visitTaker } from "./page-unit.ts";

const PARTS_MAX = 1024;

const SETTINGS = {
  part: key(value.count({ min: 1, max: PARTS_MAX }), {
    default: 1,
    meaning: "Which part of the hosts its pages are of.",
  }),
  parts: key(value.count({ min: 1, max: PARTS_MAX }), {
    default: 1,
    meaning: "How many parts there are, each with a unit like this one.",
  }),
};

const METRICS = {
  sent: counter("pages asked for"),
  again: counter("pages asked for again, of a new life of the other process"),
  returned: counter("answers"),
  unclaimed: counter("answers that nobody waited for"),
};

export const REMOTE_DOWNLOADER: ComponentDefinition = general({
  name: "remote-downloader",
  inputs: { input: Visit, answers: AnswerItem },
  outputs: { output: Visit, requests: RequestItem },
  providers: DOWNLOADER_PROVIDERS,
  settings: SETTINGS,
  metrics: METRICS,
  create: (unit) => {
    const { part, parts } = unit.settings;
    const downloads = new RemoteDownloads(unit, unit.emit.requests);
    const hosts = new HostParts(parts);
    // The other process ends with this unit's requests.
    unit.providers.ledger.requests.atEnd(() => unit.finish());
    const take = visitTaker(unit, {
      code: "INTERNAL_FETCH",
      wants: ({ isTold }) => !isTold,
      work: (visit) => downloads.begin(visit),
    });
    return {
      take: {
        input: (visit) => {
          if (parts === 1 || hosts.partOf(visit.errand.host) === part) take(visit);
          else visit.letGo();
        },
        answers: (answer) => downloads.answered(answer),
      },
    };
  },
});

type DownloaderUnit = Unit<typeof DOWNLOADER_PROVIDERS, object, typeof METRICS>;

/** Divides hosts among processes; all hosts of a domain are in one part. */
export class HostParts {
  readonly #parts: number;
  readonly #hasher = new HostHasher();
  readonly #point = new Uint32Array(2);

  constructor(parts: number) {
    this.#parts = parts;
  }

  /** From 1 on. */
  partOf(host: PageErrand["host"]): number {
    this.#hasher.ringPoint(registrableDomain(host) ?? host, this.#point);
    return ((this.#point[0] as number) % this.#parts) + 1;
  }
}

interface Away {
  readonly visit: PageVisit;
  readonly request: PageRequest;
}

class RemoteDownloads {
  readonly #unit: DownloaderUnit;
  readonly #downloads: Downloads;
  readonly #send: (request: PageRequest) => void;
  readonly #run: string;
  /** By number, in the order in which they were sent. */
  readonly #away = new Map<number, Away>();
  #numbered = 0;

  constructor(unit: DownloaderUnit, send: (request: PageRequest) => void) {
    this.#unit = unit;
    this.#downloads = new Downloads(unit);
    this.#send = send;
    this.#run = `${unit.name} ${unit.clock.wallMs()}`;
  }

  begin(visit: PageVisit): void {
    if (visit.isCancelled) {
      this.#downloads.fetched(visit, { kind: "cancelled" });
      return;
    }
    this.#numbered += 1;
    const number = this.#numbered;
    const { hostDepth: _limitedHere, ...ticket } = visit.errand.ticket;
    const asked = { ...ticket, requisite: ticket.requisite ?? 0 };
    const request = { run: this.#run, number, isAgain: false, ticket: asked };
    this.#away.set(number, { visit, request });
    visit.inFlight = { cancel: () => this.#cancel(number) };
    this.#unit.metrics.sent.add();
    this.#send(request);
  }

  answered(answer: PageAnswer): void {
    if (answer.kind === "sitemaps") {
      this.#unit.providers.links.offers.offerSitemaps(answer.urls, answer.via);
    } else if (answer.kind === "begun") this.#sendAgain();
    else this.#claimed(answer);
  }

  #claimed(answer: ClaimedAnswer): void {
    const { metrics } = this.#unit;
    const away = answer.run === this.#run ? this.#away.get(answer.number) : undefined;
    if (away === undefined) {
      metrics.unclaimed.add();
      return;
    }
    metrics.returned.add();
    this.#away.delete(answer.number);
    const { visit } = away;
    visit.guard(() => this.#goOn(visit, answer));
  }

  #goOn(visit: PageVisit, answer: ClaimedAnswer): void {
    if (answer.kind === "refused") {
      const { reason, cause } = answer;
      visit.tell({ kind: "refused", reason, cause });
      visit.isRecorded = true;
      visit.leave();
    } else if (answer.kind === "unfetched") this.#unfetched(visit, answer);
    else {
      note(visit, answer);
      this.#downloads.fetched(visit, outcomeOf(answer));
    }
  }

  /** The same as for a host that is given up here. */
  #unfetched(visit: PageVisit, { code }: UnfetchedAnswer): void {
    const { ledger } = this.#unit.providers;
    visit.record.fetchedAtMs = this.#unit.clock.wallMs();
    visit.record.notes.push(["unfetched"]);
    visit.tell({ kind: "failed", code });
    ledger.seeds.unfetched(visit.errand.ticket, code);
    ledger.counts.errors.add(code);
    visit.line = { result: code, bodyBytes: 0 };
    visit.leave();
  }

  /** The crawl ends: what the other process still does is of no use. */
  #cancel(number: number): void {
    this.#unit.clock.after(0, () => {
      const away = this.#away.get(number);
      if (!this.#away.delete(number) || away === undefined) return;
      away.visit.guard(() => this.#downloads.fetched(away.visit, { kind: "cancelled" }));
    });
  }

  #sendAgain(): void {
    for (const { request } of this.#away.values()) {
      this.#unit.metrics.again.add();
      this.#send({ ...request, isAgain: true });
    }
  }
}

function outcomeOf(answer: FetchedAnswer | FailedAnswer): FetchOutcome {
  if (answer.kind === "fetched") return { ...answer, body: memoryBody(answer.body) };
  return { kind: "failed", error: new CrawlError(answer.code, answer.message) };
}

function note({ record }: PageVisit, facts: FetchFacts): void {
  const { address, attempt, durationMs, fetchedAtMs } = facts;
  record.address = address;
  record.attempt = attempt;
  record.durationMs = durationMs;
  record.fetchedAtMs = fetchedAtMs;
}
