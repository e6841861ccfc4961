/** Agents with limits on a calm network, whose work is in the hands of the test. */
import assert from "node:assert/strict";
import { type Peer, type PeerMember, Peers } from "../../../test/support/cluster/peers.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import type { Messenger, Place } from "../messages/index.ts";
import { ClusterLimits } from "./cluster-limits.ts";
import { type CrawlBounds, changedTerms, foundingTerms, type LimitTerms } from "./limit-terms.ts";
import { openLedger } from "./limits-file.ts";

const SETTINGS = {
  ...{ timeoutMs: 200, retryMs: 50, retryMsMax: 400, lingerMs: 300, compareMs: 1000 },
  ...{ least: { pages: 1, bytes: 100 }, low: { pages: 0, bytes: 0 } },
};

const CRAWL = "c";

/** What outlives the lives of an agent. */
interface Desk {
  disk: SimDisk;
  isWaiting: boolean;
  pages: number;
  bytes: number;
  elapsedMs: number;
}

export interface Sent {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly body: unknown;
}

export class Rig {
  readonly peers: Peers<ClusterLimits>;
  readonly desks: Map<string, Desk> = new Map();
  /** Every message about limits. */
  readonly sent: Sent[] = [];
  /** Whether a message is lost on its way. */
  loses: (message: Sent) => boolean = () => false;
  /** How much later than it comes the answer to a message is taken. */
  lateMs: (message: Sent) => number = () => 0;
  terms: LimitTerms;
  /** The crawl that agents take part in when they start. */
  crawl: string = CRAWL;
  /** Whom limits have told that something has changed. */
  readonly told: string[] = [];
  readonly askers: Map<string, Peer> = new Map();
  /** Types of all messages that were sent, by kind. */
  readonly types: Map<string, unknown> = new Map();

  /** The last of them founds the crawl; the first is the treasurer. */
  constructor(bounds: Partial<CrawlBounds>, ...ids: string[]) {
    this.terms = foundingTerms({ pages: null, bytes: null, timeMs: null, ...bounds });
    for (const id of ids) this.desks.set(id, { ...blankDesk(id) });
    const founder = ids.at(-1);
    this.peers = new Peers({
      ...{ seed: "limits", ids },
      boot: (peer) => this.#boot(peer, peer.id === founder && peer.life.incarnation === 1),
    });
    this.pass(100);
  }

  desk(id: string): Desk {
    const desk = this.desks.get(id);
    assert.ok(desk !== undefined);
    return desk;
  }

  limits(id: string): ClusterLimits {
    return this.peers.program(id);
  }

  pass(virtualMs = 3000): this {
    this.peers.kernel.pass(virtualMs);
    return this;
  }

  /** From now on these have work, and no others. */
  work(...ids: string[]): this {
    for (const [id, desk] of this.desks) {
      desk.isWaiting = ids.includes(id);
      this.limits(id).workChanged();
    }
    return this;
  }

  /** Fetches as many pages as the agent has tokens for, up to so many. */
  fetch(id: string, pages: number, bytesEach = 0): number {
    const limits = this.limits(id);
    let fetched = 0;
    while (fetched < pages && limits.take(1) === 1) {
      fetched += 1;
      limits.use({ pages: 1, bytes: bytesEach });
    }
    this.desk(id).pages += fetched;
    this.desk(id).bytes += fetched * bytesEach;
    return fetched;
  }

  /** Fetches by turns until nobody gets tokens any more. */
  fetchAll(...ids: string[]): number {
    let all = 0;
    for (let inVain = 0; inVain < 4; inVain += 1) {
      const fetched = ids.reduce((sum, id) => sum + this.fetch(id, 1), 0);
      if (fetched > 0) inVain = 0;
      all += fetched;
      this.pass(500);
    }
    return all;
  }

  /** What each has left. */
  get left(): Record<string, number | null> {
    return Object.fromEntries(this.peers.ids.map((id) => [id, this.limits(id).left.pages]));
  }

  see(id: string, standing: PeerMember["standing"]): void {
    this.peers.set(id, standing);
  }

  setBounds(by: string, bounds: Partial<CrawlBounds>): void {
    this.terms = changedTerms(this.terms, this.peers.view(by).self, { ...this.terms, ...bounds });
    for (const id of this.peers.ids) this.limits(id).configured(this.terms);
  }

  #boot(peer: Peer, founds: boolean): ClusterLimits {
    const { id, life, messenger, view } = peer;
    const { clock } = life;
    this.askers.set(id, peer);
    const desk = this.desk(id);
    const storage = desk.disk.mount(clock);
    const limits = new ClusterLimits({
      ...{ clock, storage, view, settings: SETTINGS, messenger: this.#watched(id, messenger) },
      work: desk,
      changed: () => this.told.push(id),
      trouble: (error) => assert.fail(error.message),
    });
    view.changed = () => limits.viewChanged();
    const founding = founds ? { crawl: CRAWL, amounts: this.terms.founded } : null;
    openLedger(storage, founding, (error, ledger) => {
      assert.equal(error, null);
      const { pages, bytes, elapsedMs } = desk;
      const used = { pages, bytes };
      const { crawl, terms } = this;
      limits.start({ crawl, terms, ledger: ledger ?? null, used, elapsedMs });
    });
    return limits;
  }

  #watched(id: string, messenger: Messenger): Pick<Messenger, "ask" | "serve"> {
    return {
      ask: (place: Place, type, question, answered) => {
        const message = { from: id, to: place.id, kind: type.kind, body: question.body };
        this.sent.push(message);
        this.types.set(type.kind, type);
        if (!this.loses(message)) {
          const lateMs = this.lateMs(message);
          messenger.ask(place, type, question, (replied) => {
            if (lateMs === 0) answered(replied);
            else this.peers.kernel.schedule(lateMs, () => answered(replied));
          });
        } else {
          this.peers.kernel.schedule(200, () => answered({ kind: "none", why: "timed-out" }));
        }
      },
      serve: (type, listener) => messenger.serve(type, listener),
    };
  }
}

function blankDesk(id: string): Desk {
  const disk = new SimDisk(new SeededRandom(id));
  return { disk, isWaiting: false, pages: 0, bytes: 0, elapsedMs: 0 };
}
