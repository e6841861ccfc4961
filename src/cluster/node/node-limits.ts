/**
 * The limits of the whole crawl, in a node: which of its moments they need. The ledger of a founder is
 * there before its crawl is (M1); limits start when everything of the last life has been replayed and the
 * place of this disk is known, so that its pages are counted and transfers can be signed. Until then no
 * token is given out.
 */
import type { Clock, Done, Storage } from "../../base/seams/index.ts";
import { withValue } from "../../base/seams/index.ts";
import { ClusterLimits, CrawlTime, type LimitSettings, openLedger } from "../limits/index.ts";
import type { SharedConfiguration, View } from "../membership/index.ts";
import type { Messenger } from "../messages/index.ts";
import { termsIn } from "./crawl-text.ts";
import type { NodeAgent } from "./node-agent.ts";

export interface NodeLimitsParts {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly messenger: Messenger;
  readonly view: View;
  readonly settings: LimitSettings;
  readonly agent: NodeAgent;
  /** Whether visits may begin, as far as anything else goes. */
  readonly mayFetch: () => boolean;
  /** What may be begun is another, or whether everything is settled. */
  readonly changed: () => void;
}

type Ledger = Parameters<ClusterLimits["start"]>[0]["ledger"];

export class NodeLimits {
  readonly #parts: NodeLimitsParts;
  readonly #limits: ClusterLimits;
  #ledger: Ledger = null;
  #configuration: SharedConfiguration | null = null;
  /** How long the crawl has run, as others have said before limits have started (M8). */
  #heard: CrawlTime | null = null;
  #isOpen = false;
  #isStarted = false;

  constructor(parts: NodeLimitsParts) {
    this.#parts = parts;
    const { clock, storage, messenger, view, settings, agent, mayFetch, changed } = parts;
    this.#limits = new ClusterLimits({
      ...{ clock, storage, messenger, view, settings, changed },
      work: {
        get isWaiting(): boolean {
          return mayFetch() && agent.work.isWaiting;
        },
      },
      trouble: (error) => agent.trouble(error),
    });
  }

  /** For fetches and for people. */
  get door(): Pick<
    ClusterLimits,
    "mayBegin" | "mayGoOn" | "take" | "putBack" | "use" | "elapsedMs" | "left" | "reached"
  > {
    return this.#limits;
  }

  get changes(): number {
    return this.#limits.changes;
  }

  /** M6: whether this agent is idle as far as limits go. Nothing is in flight. */
  get isIdle(): boolean {
    const { work } = this.#parts.agent;
    return this.#limits.isSettled && !(work.isWaiting && this.#limits.mayBegin);
  }

  /** Reads the ledger, or makes that of a founder; to be answered before the node joins. */
  open(founds: SharedConfiguration | null, done: Done<null>): void {
    const founding =
      founds === null ? null : { crawl: founds.crawl, amounts: termsIn(founds).founded };
    openLedger(
      this.#parts.storage,
      founding,
      withValue(done, (ledger) => {
        this.#ledger = ledger;
        done(null, null);
      }),
    );
  }

  configured(configuration: SharedConfiguration): void {
    this.#configuration = configuration;
    if (this.#isStarted) this.#limits.configured(termsIn(configuration));
  }

  /** Everything of the last life has been replayed. */
  opened(): void {
    this.#isOpen = true;
    this.#start();
  }

  /** Another agent has said how long the crawl has run: before this one is active, all have. */
  ranFor(elapsedMs: number): void {
    if (this.#isStarted) this.#limits.ranFor(elapsedMs);
    else if (this.#heard === null) this.#heard = new CrawlTime(this.#parts.clock, elapsedMs);
    else this.#heard.heard(elapsedMs);
  }

  viewChanged(): void {
    this.#start();
    this.#limits.viewChanged();
  }

  workChanged(): void {
    this.#limits.workChanged();
  }

  /** L1, M9: to be called when no host is here any more. */
  handOver(done: () => void): void {
    this.#limits.handOver(done);
  }

  close(): void {
    this.#limits.close();
  }

  #start(): void {
    const configuration = this.#configuration;
    const { view, agent } = this.#parts;
    if (this.#isStarted || !this.#isOpen || configuration === null) return;
    if (view.self.generation === 0) return;
    this.#isStarted = true;
    const { crawl } = configuration;
    const terms = termsIn(configuration);
    this.#limits.start({ crawl, terms, ledger: this.#ledger, ...agent.spent() });
    if (this.#heard !== null) this.#limits.ranFor(this.#heard.elapsedMs);
  }
}
