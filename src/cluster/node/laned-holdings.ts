/**
 * The holdings of an agent with several lanes: what is asked about a host goes to the lane that has its
 * shard, what is asked about all hosts to every lane. Pages are in one store, whose part is asked once.
 */
import type { Acknowledge } from "../../base/seams/index.ts";
import type { Holdings } from "../custody/index.ts";

/** What a lane does. Asks of one lane are carried out in their order. */
export type LaneHoldings = Pick<
  Holdings,
  "take" | "end" | "again" | "adopt" | "lost" | "giveAway" | "pagesOf" | "withhold" | "admit"
>;

/** What exists once. */
export type StoreHoldings = Pick<Holdings, "find" | "nearer" | "hide" | "show" | "whenSaved">;

export function lanedHoldings(
  lanes: readonly LaneHoldings[],
  store: StoreHoldings,
  laneOf: (host: string) => number,
): Holdings {
  const of = (host: string): LaneHoldings => lanes[laneOf(host)] as LaneHoldings;
  return {
    take: (entry) => of(entry.host).take(entry),
    end: (entry, done) => of(entry.host).end(entry, done),
    again: (entry) => of(entry.host).again(entry),
    adopt: (host, record) => of(host).adopt(host, record),
    giveAway: (host, each, done) => of(host).giveAway(host, each, done),
    lost(isOwn, each, done) {
      const all = whenAll(lanes.length, done);
      for (const lane of lanes) lane.lost(isOwn, each, all);
    },
    pagesOf(isWanted, each, done) {
      let failure: Parameters<Acknowledge>[0] = null;
      const all = whenAll(lanes.length, () => done(failure));
      for (const [number, lane] of lanes.entries()) {
        const isOfLane = (host: string): boolean => laneOf(host) === number && isWanted(host);
        lane.pagesOf(isOfLane, each, (error) => {
          failure ??= error;
          all();
        });
      }
    },
    withhold: (withheld) => {
      for (const lane of lanes) lane.withhold(withheld);
    },
    admit: () => {
      for (const lane of lanes) lane.admit();
    },
    find: (page, done) => store.find(page, done),
    nearer: (page, depth) => store.nearer(page, depth),
    hide: (page, toward) => store.hide(page, toward),
    show: (toward, each, done) => store.show(toward, each, done),
    whenSaved: (done) => store.whenSaved(done),
  };
}

/** Calls back when it was called as often as this. */
function whenAll(count: number, done: () => void): () => void {
  let open = count;
  return () => {
    open -= 1;
    if (open === 0) done();
  };
}
