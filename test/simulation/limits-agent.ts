/**
 * An agent that spends what limits allow, as a crawl would: it fetches as long as it has work and tokens,
 * most answers count, and a page is had when its line is durable. Membership, limits and termination are
 * those that ship; only the crawl is left out.
 */
import { type Log, openLog } from "../../src/base/log/index.ts";
import { withValue } from "../../src/base/seams/index.ts";
import type { Transport } from "../../src/base/transport/index.ts";
import type * as limitsDoor from "../../src/cluster/limits/index.ts";
import { Membership } from "../../src/cluster/membership/index.ts";
import { Messenger } from "../../src/cluster/messages/index.ts";
import { Termination } from "../../src/cluster/termination/index.ts";
import type { Life, SimDisk } from "../../src/lab/simulator/index.ts";
import type { LimitsWorld } from "./limits-trial.ts";

export type LimitsDoor = typeof limitsDoor;

const CONNECTIONS = 2;
const SETTINGS = {
  ...{ timeoutMs: 500, retryMs: 100, retryMsMax: 1600, lingerMs: 300, compareMs: 1000 },
  ...{ least: { pages: 1, bytes: 5000 }, low: { pages: 3, bytes: 0 } },
};

export class Spender {
  readonly id: string;
  readonly membership: Membership;
  readonly limits: limitsDoor.ClusterLimits;
  readonly termination: Termination;
  /** Pages and bytes of this disk, as this life knows them. */
  pages = 0;
  bytes = 0;
  endedBy: string | null = null;
  /** Whether it has been active in this life. */
  wasActive = false;
  readonly #world: LimitsWorld;
  readonly #life: Life;
  readonly #door: LimitsDoor;
  #log: Log | null = null;
  #isActive = false;
  #isStarted = false;
  #inFlight = 0;
  #changes = 0;

  constructor(world: LimitsWorld, life: Life, transport: Transport, disk: SimDisk) {
    const { clock, random } = life;
    this.id = life.nodeId;
    this.#world = world;
    this.#life = life;
    this.#door = world.door;
    const storage = disk.mount(clock);
    const messenger = new Messenger(transport, clock);
    this.membership = new Membership({
      ...{ id: this.id, capacity: 1, settings: world.membership, founds: world.founds(this.id) },
      ...{ clock, random, storage, seedsFrom: 0, messenger, listener: this.#listener() },
    });
    const { view } = this.membership;
    const spender = this;
    this.limits = new this.#door.ClusterLimits({
      ...{ clock, storage, messenger: world.counting(messenger), view, settings: SETTINGS },
      work: {
        get isWaiting() {
          return spender.isWaiting;
        },
      },
      changed: () => {
        this.termination.changed();
        this.#pump();
      },
      trouble: (error) => world.troubles.push(error.message),
    });
    this.termination = new Termination({
      ...{ clock, messenger, view, settings: { intervalMs: 500, timeoutMs: 400 } },
      work: {
        get isIdle() {
          return spender.isIdle;
        },
        get changes() {
          return spender.#changes + spender.limits.changes;
        },
        get limit() {
          return spender.limits.reached;
        },
      },
      listener: {
        finished: (limit) => {
          this.endedBy = limit;
        },
        concluded: () => undefined,
        resumed: () => undefined,
      },
    });
    const founding = world.founding(this.id);
    const failed = (error: Error): void => this.#fail(error);
    openLog(
      { storage, random, name: "pages/log", framing: "binary" },
      withValue(failed, ({ log }) => {
        this.#log = log;
        this.#recount(log, () =>
          this.#door.openLedger(
            storage,
            founding,
            withValue(failed, (ledger) => {
              this.#ledger = ledger;
              this.membership.start();
            }),
          ),
        );
      }),
    );
  }

  #ledger: Parameters<limitsDoor.ClusterLimits["start"]>[0]["ledger"] = null;

  get isWaiting(): boolean {
    return this.#isActive && this.membership.mayFetch && this.#world.hasWork(this.id);
  }

  get isIdle(): boolean {
    const { view, openRequests, isTakingOver } = this.membership;
    if (!this.#isActive || !this.#isStarted || openRequests > 0 || isTakingOver) return false;
    if (view.onProbation > 0 || this.#inFlight > 0) return false;
    return this.limits.isSettled && !(this.#world.hasWork(this.id) && this.limits.mayBegin);
  }

  get describe(): string {
    const members = [...this.membership.view.members()].map(
      ({ place, incarnation, state, standing, isInRing }) =>
        `${place.id}.${place.generation}/${incarnation}:${state}:${standing}:${isInRing}`,
    );
    const { limits } = this;
    return (
      `${this.id} pages=${this.pages} left=${JSON.stringify(limits.left)} flight=${this.#inFlight} ` +
      `settled=${limits.isSettled} idle=${this.isIdle} waiting=${this.isWaiting} ` +
      `finished=${this.termination.isFinished} ${members.join(" ")}`
    );
  }

  /** Work has come or gone. */
  workChanged(): void {
    this.#changes += 1;
    this.limits.workChanged();
    this.termination.changed();
    this.#pump();
  }

  setBounds(bounds: limitsDoor.CrawlBounds): void {
    const { configuration, view } = this.membership;
    const terms = JSON.parse(configuration?.text ?? "{}") as limitsDoor.LimitTerms;
    const changed = this.#door.changedTerms(terms, view.self, bounds);
    this.membership.setConfiguration(JSON.stringify(changed), () => undefined);
  }

  #recount(log: Log, done: () => void): void {
    const reader = log.reader();
    const read = (): void =>
      reader.read(
        withValue(
          (error) => this.#fail(error),
          (batch) => {
            for (let at = 0; at < batch.count; at += 1) {
              this.pages += 1;
              this.bytes += Number(Buffer.from(batch.payloadOf(at)).toString());
            }
            if (batch.count + batch.damage.length > 0) read();
            else reader.close(done);
          },
        ),
      );
    read();
  }

  #listener(): ConstructorParameters<typeof Membership>[0]["listener"] {
    return {
      understands: () => true,
      configured: ({ crawl, text }) => {
        const terms = JSON.parse(text) as limitsDoor.LimitTerms;
        if (this.#isStarted) this.limits.configured(terms);
        // Its place is known when it is present.
        else this.#start = { crawl, terms };
      },
      viewChanged: () => {
        this.#begin();
        this.limits.viewChanged();
        this.termination.changed();
      },
      elapsedMs: () => this.limits.elapsedMs,
      ranFor: (elapsedMs) => this.limits.ranFor(elapsedMs),
      gaveUp: () => undefined,
      returned: () => undefined,
      cameTooLate: () => undefined,
      toldTo: () => null,
      handOver: (_to, done) => done(),
      takeover: () => undefined,
      takeoverOver: () => undefined,
      absent: () => undefined,
      activated: () => {
        this.#isActive = true;
        this.wasActive = true;
        this.workChanged();
      },
      deactivated: () => {
        this.#isActive = false;
        this.workChanged();
      },
      handOverAll: (done) => this.limits.handOver(done),
      seedsArrived: () => undefined,
      trouble: (error) => {
        if (error.code !== "CLUSTER_WAITING") this.#fail(error);
      },
      refused: (error) => this.#fail(error),
    };
  }

  #start: Pick<limitsDoor.LimitStart, "crawl" | "terms"> | null = null;

  #begin(): void {
    if (this.#isStarted || this.#start === null) return;
    if (this.membership.view.self.generation === 0) return;
    this.#isStarted = true;
    const { pages, bytes } = this;
    const elapsedMs = 0;
    this.limits.start({ ...this.#start, ledger: this.#ledger, used: { pages, bytes }, elapsedMs });
    this.termination.start();
  }

  #pump(): void {
    while (this.isWaiting && this.#inFlight < CONNECTIONS && this.limits.take(1) === 1) {
      this.#inFlight += 1;
      this.#changes += 1;
      this.#fetch();
    }
  }

  #fetch(): void {
    const { clock, random } = this.#life;
    clock.after(20 + random.below(this.#world.fetchMsMax), () => {
      if (random.below(4) === 0) {
        this.limits.putBack(1);
        this.#ended();
        return;
      }
      const bytes = 100 + random.below(2000);
      this.limits.use({ pages: 1, bytes });
      this.pages += 1;
      this.bytes += bytes;
      this.#log?.append(Buffer.from(String(bytes)));
      this.#log?.commit((error) => {
        if (error !== null) this.#fail(error);
        this.#ended();
      });
    });
  }

  #ended(): void {
    this.#inFlight -= 1;
    this.#changes += 1;
    this.#world.judge();
    this.termination.changed();
    this.#pump();
  }

  #fail(error: Error): void {
    this.#world.troubles.push(`${this.id}: ${error.stack ?? error.message}`);
  }
}
