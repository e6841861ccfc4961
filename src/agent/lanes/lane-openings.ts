/**
 * How a lane among several opens the parts of a crawl: those of its hosts as if it were the only one;
 * in place of what exists once, the way to the desk.
 */
import { carry } from "../../base/background/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { ClaimingStore } from "../../store/archive/index.ts";
import { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { RequestDesk } from "../crawl/network/request-desk.ts";
import { crawlOpenings } from "../providers/crawl-openings.ts";
import { type CrawlWorld, closed } from "../providers/crawl-world.ts";
import { rowRules } from "../providers/open-index.ts";
import { faultNoter, storeOptions } from "../providers/open-store.ts";
import type { CrawlOpenings } from "../topology/crawl-library.ts";
import type { Ledger } from "../topology/roles.ts";
import { AnswerGate } from "../visit/answer-gate.ts";
import type { DeskLink } from "./desk-link.ts";
import { LaneRefusals } from "./lane/lane-refusals.ts";
import { LaneIndex, LanePages } from "./lane-pages.ts";
import type { LaneSeeds } from "./lane-seeds.ts";
import { RemoteLog } from "./remote-log.ts";

export interface LaneOpeningsParts {
  readonly world: CrawlWorld;
  readonly desk: DeskLink;
  readonly seeds: LaneSeeds;
  /** Gives the serials of archive files, every one once over all lanes. */
  readonly takeSerial: () => number;
}

export function laneOpenings(
  configuration: Configuration,
  { world, desk, seeds, takeSerial }: LaneOpeningsParts,
): Omit<CrawlOpenings, "steering"> {
  const counts = new CrawlCounts();
  const faults: Ledger["faults"] = {
    note: (error, url) => desk.post({ kind: "fault", error: carry(error), url }),
  };
  const options = {
    ...storeOptions(configuration, world),
    noteFault: faultNoter({ counts, faults }),
  };
  const store = new ClaimingStore(options, {
    log: new RemoteLog(desk),
    nextSerial: takeSerial,
    claim: (claim, done) =>
      desk.ask(
        (id) => ({ kind: "claim", id, claim }),
        (_error, answer) => done(answer?.kind === "claimed" ? answer.original : null),
      ),
  });
  const index = new LaneIndex(desk, rowRules(configuration), () => store.lastLine);
  return {
    ...crawlOpenings(configuration, world),
    ledger: () => {
      const refusals = configuration.store.refused ? new LaneRefusals(desk) : null;
      counts.refusals = refusals;
      const service = {
        counts,
        faults,
        seeds,
        refusals,
        holders: new Map(),
        gate: new AnswerGate(world.clock),
      };
      return { service: { ...service, requests: new RequestDesk() } };
    },
    store: () => ({
      service: store,
      close: async () => {
        await closed(world, (done) => store.close(done));
        for (const line of store.lostLines()) counts.takeBack(line);
      },
    }),
    index: () => ({ service: configuration.store.index ? index : null }),
    duplicates: () => ({ service: new LanePages(desk) }),
  };
}
