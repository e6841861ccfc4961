/** Agents that have pages in memory and send them to each other, for tests. */
import { type Peer, Peers } from "../../../test/support/cluster/peers.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import type { Messenger, Place } from "../messages/index.ts";
import { PageIntake } from "./page-intake.ts";
import { PAGE, type PageAnswer, type PagePart } from "./page-messages.ts";
import { PageShipper, type ShippingSettings } from "./page-shipper.ts";
import type { PageStore, PageWriter } from "./page-store.ts";

export const SETTINGS: ShippingSettings = {
  ...{ pieceBytes: 4, pagesAtOnce: 2, timeoutMs: 400, bytesPerSecondMax: 100 },
};
export const PAGES_MAX = 2;
export const DROP_AFTER_MS = 3000;
const CALL_MS = 2;

/** Page `number` of a host. */
export function pageOf(host: string, number = 1): UrlEntry {
  const record = new TextEncoder().encode(`${host}/${number}`);
  return { kind: "url", host, high: number, low: host.length, depth: 0, holders: [], record };
}

function keyOf({ host, high }: UrlEntry): string {
  return `${host}/${high}`;
}

/** A store whose pages are texts. */
export class MemoryPages implements PageStore {
  readonly texts: Map<string, string> = new Map();
  /** Whose copies are shown instead of those here, by host. */
  readonly hiddenBy: Map<string, Place> = new Map();
  readonly #entries: UrlEntry[] = [];
  readonly #clock: Clock;
  /** While true, pages that are written do not become durable. */
  isStalled = false;
  isFull = false;
  dropped = 0;
  /** While true, nothing can be looked for. */
  isUnreadable = false;
  /** What cannot be read. */
  broken: string | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(entry: UrlEntry, text: string): void {
    this.texts.set(keyOf(entry), text);
    this.#entries.push(entry);
  }

  next: PageStore["next"] = (isWanted, after, done) => {
    const at = this.#entries.findIndex(
      ({ host }, index) => index > after && isWanted(host, this.hiddenBy.get(host) ?? null),
    );
    const entry = this.#entries[at];
    const page = entry === undefined ? null : { entry, position: at };
    this.#clock.after(CALL_MS, () => {
      if (this.isUnreadable) done(new CrawlError("STORAGE_FAILED", "unreadable"), undefined);
      else done(null, page);
    });
  };

  read: PageStore["read"] = ({ entry }, { from, bytesMax, withBody }, done) => {
    const text = withBody ? (this.texts.get(keyOf(entry)) ?? "") : "kept";
    const bytes = new TextEncoder().encode(text);
    const piece = { bytes: bytes.slice(from, from + bytesMax), total: bytes.byteLength };
    this.#clock.after(CALL_MS, () => {
      if (this.broken === keyOf(entry)) done(new CrawlError("STORAGE_FAILED", "broken"), undefined);
      else done(null, piece);
    });
  };

  has: PageStore["has"] = (entry, done) => {
    this.#clock.after(CALL_MS, () => done(this.texts.has(keyOf(entry))));
  };

  write(entry: UrlEntry): PageWriter {
    let text = "";
    return {
      append: (bytes) => {
        text += new TextDecoder().decode(bytes);
      },
      commit: (done) => {
        this.#clock.after(CALL_MS, () => {
          if (this.isStalled) return;
          if (!this.isFull) this.add(entry, text);
          done(this.isFull ? new CrawlError("STORAGE_FULL", "full") : null);
        });
      },
      drop: () => {
        this.dropped += 1;
      },
    };
  }
}

export interface PagesPeer {
  readonly store: MemoryPages;
  readonly shipper: PageShipper;
  readonly intake: PageIntake;
  readonly messenger: Messenger;
  /** Pages that came: `h/1 from a`. */
  readonly stored: string[];
  readonly failed: string[];
}

export class PagesRig {
  readonly peers: Peers<PagesPeer>;
  /** Who owns each host: an id, or null for nobody. */
  readonly owners: Map<string, string | null> = new Map();
  /** What was sent: `a b h/1 0`. */
  readonly sent: string[] = [];
  readonly welcome: Set<string>;
  /** Who is about to leave. */
  readonly leavers: Set<string> = new Set();
  isOpen = true;

  constructor(ids: readonly string[] = ["a", "b", "c"]) {
    this.welcome = new Set(ids);
    this.peers = new Peers({ seed: "pages", ids, boot: (peer) => this.#boot(peer) });
  }

  at(id: string): PagesPeer {
    return this.peers.program(id);
  }

  place(id: string): Place {
    return this.peers.view(id).self;
  }

  pass(virtualMs = 2000): this {
    this.peers.kernel.pass(virtualMs);
    return this;
  }

  /** Whether all pages of `a` were brought to others, when it is asked. */
  shipAll(withBody = true): () => boolean {
    let isOver = false;
    this.at("a").shipper.shipAll(withBody, () => {
      isOver = true;
    });
    return () => isOver;
  }

  /** Sends a piece from `a` to `b` by hand; null if nothing was answered. */
  send(part: Partial<PagePart> & Pick<PagePart, "entry">): PageAnswer | null {
    let answer: PageAnswer | null = null;
    const body = { withBody: true, from: 0, total: 6, bytes: new Uint8Array(3), ...part };
    const question = { body, timeoutMs: SETTINGS.timeoutMs };
    this.at("a").messenger.ask(this.place("b"), PAGE, question, (replied) => {
      if (replied.kind === "reply") answer = replied.body;
    });
    this.pass(500);
    return answer;
  }

  #boot({ id, life, messenger, view }: Peer): PagesPeer {
    const { clock } = life;
    const store = new MemoryPages(clock);
    const [stored, failed]: [string[], string[]] = [[], []];
    const watched = {
      ask: (to: Place, type: typeof PAGE, question: { body: PagePart }, answered: never) => {
        const { entry, from } = question.body;
        this.sent.push(`${id} ${to.id} ${keyOf(entry)} ${from}`);
        messenger.ask(to, type, { ...question, timeoutMs: SETTINGS.timeoutMs }, answered);
      },
    } as unknown as Messenger;
    const shipper = new PageShipper({
      ...{ clock, messenger: watched, store, settings: SETTINGS },
      otherOwnerOf: (host) => {
        const owner = this.owners.get(host) ?? null;
        return owner === null || owner === id ? null : view.placeOf(owner);
      },
      isStaying: (place) => !this.leavers.has(place.id),
      failed: ({ code }) => failed.push(code),
    });
    const intake = new PageIntake({
      ...{ clock, messenger, pagesMax: PAGES_MAX, dropAfterMs: DROP_AFTER_MS },
      store: () => (this.isOpen ? store : null),
      isWelcome: (place) => this.welcome.has(place.id),
      stored: (entry, from) => stored.push(`${keyOf(entry)} from ${from?.id ?? "nobody"}`),
      failed: ({ code }) => failed.push(code),
    });
    return { store, shipper, intake, messenger, stored, failed };
  }
}
