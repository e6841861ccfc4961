/** Agents that have pages in memory and send them to each other, for tests. */
import { keyOf, MemoryPages } from "../../../test/support/cluster/memory-pages.ts";
import { type Peer, Peers } from "../../../test/support/cluster/peers.ts";
import type { Messenger, Place } from "../messages/index.ts";
import { PageIntake } from "./page-intake.ts";
import { PAGE, type PageAnswer, type PagePart } from "./page-messages.ts";
import { PageShipper, type ShippingSettings } from "./page-shipper.ts";

export const SETTINGS: ShippingSettings = {
  ...{ pieceBytes: 4, pagesAtOnce: 2, timeoutMs: 400, bytesPerSecondMax: 100 },
};
export const PAGES_MAX = 2;
export const DROP_AFTER_MS = 3000;

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
