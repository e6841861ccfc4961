/** Agents with custody and delivery on a calm network, whose holdings are in memory, for tests. */
import assert from "node:assert/strict";
import { type Peer, Peers, type PeerView } from "../../../test/support/cluster/peers.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { type Conditions, SimBackground, SimDisk } from "../../lab/simulator/index.ts";
import {
  frameTransport,
  type Inbox,
  type Outboxes,
  openInbox,
  openOutboxes,
  serveFrames,
  type UrlEntry,
} from "../delivery/index.ts";
import { type Place, placeText } from "../messages/index.ts";
import { openClaims } from "./claims.ts";
import { Custody, type CustodyMarks } from "./custody.ts";
import { KeptPages, MemoryHoldings, type MemoryState } from "./memory-holdings.fixture.ts";

const DELIVERY = {
  ...{
    batchEntries: 4,
    batchBytes: 1000,
    lingerMs: 10,
    restMs: 10,
    burst: 1,
    waitMsMax: 10,
    timeoutMs: 200,
  },
  ...{ segmentBytesMax: 2000, retainBytes: 100, repeatsMax: 1000 },
};
const SETTLE_MS = 3000;

/** The page with this number, of a host such as `h7.example`. */
export function entryOf(host: string, number = 1, holders: readonly Place[] = []): UrlEntry {
  const record = new TextEncoder().encode(`${host}/${number}`);
  const low = Number.parseInt(host.slice(1), 10);
  return { kind: "url", host, depth: 0, holders, high: number * 7919, low, record };
}

interface Saved {
  readonly marks: CustodyMarks;
  readonly inbox: number;
  readonly holdings: MemoryState;
}

/** What an agent has in one life; all of it is there a moment after its start. */
export interface CustodyPeer {
  readonly view: PeerView;
  readonly holdings: MemoryHoldings;
  /** Places that were put on probation, if need be. */
  readonly named: string[];
  /** Places that have told again what they hold. */
  readonly announced: string[];
  custody: Custody;
  outboxes: Outboxes;
  inbox: Inbox;
}

export class CustodyRig {
  readonly peers: Peers<CustodyPeer>;
  readonly #disks = new Map<string, SimDisk>();
  readonly #pages = new Map<string, KeptPages>();
  readonly #saved = new Map<string, Saved>();

  constructor(ids: readonly string[] = ["a", "b", "c"], conditions: Partial<Conditions> = {}) {
    this.peers = new Peers({ seed: "custody", ids, conditions, boot: (peer) => this.#boot(peer) });
    this.pass();
  }

  at(id: string): CustodyPeer {
    return this.peers.program(id);
  }

  place(id: string): Place {
    return this.at(id).view.self;
  }

  pass(virtualMs: number = SETTLE_MS): this {
    this.peers.kernel.pass(virtualMs);
    return this;
  }

  /** A host whose owner is the first of these, and without it the second, and so on. */
  hostOf(...order: readonly string[]): string {
    const view = this.peers.view("a");
    const isOrder = (host: string): boolean =>
      order.every((id, at) => {
        const gone = new Set(order.slice(0, at));
        return view.ownerAmong(host as never, (one) => !gone.has(one)) === id;
      });
    for (let number = 0; number < 10_000; number += 1) {
      if (isOrder(`h${number}.example`)) return `h${number}.example`;
    }
    assert.fail(`no host has the order ${order}`);
  }

  /** Everybody sees this agent out of the ring, or in it. */
  setOutside(id: string, isOutside: boolean): this {
    for (const view of this.peers.views) {
      view.of(id).leaves = isOutside;
      view.changed();
    }
    return this;
  }

  /** All others give it up. */
  giveUp(id: string): this {
    const place = this.place(id);
    for (const one of this.peers.ids) {
      if (one === id) continue;
      const { view, custody } = this.at(one);
      view.set(id, "given-up");
      custody.gaveUp(place);
    }
    return this;
  }

  crash(id: string): this {
    this.peers.cluster.takeDown(id);
    this.#diskOf(id).crash();
    return this;
  }

  start(id: string): this {
    this.peers.cluster.node(id).start();
    return this.pass();
  }

  /** Records a checkpoint. */
  save(id: string): this {
    const { custody, inbox, outboxes, holdings } = this.at(id);
    const waiting = holdings.saves.splice(0);
    const state = holdings.state();
    custody.checkpoint((error, marks) => {
      assert.ifError(error);
      inbox.mark((failure, mark) => {
        assert.ifError(failure);
        outboxes.whenDurable(() => {
          this.#saved.set(id, { marks: marks as CustodyMarks, inbox: mark ?? 0, holdings: state });
          inbox.recorded(mark ?? 0);
          custody.recorded(marks as CustodyMarks);
          for (const done of waiting) done();
        });
      });
    });
    return this.pass();
  }

  #diskOf(id: string): SimDisk {
    const disk = this.#disks.get(id) ?? new SimDisk(this.peers.kernel.random.fork(`disk ${id}`));
    this.#disks.set(id, disk);
    return disk;
  }

  #boot({ id, life, messenger, view }: Peer): CustodyPeer {
    const { clock, random } = life;
    const disk = this.#disks.get(id) ?? new SimDisk(random.fork("disk"));
    this.#disks.set(id, disk);
    const pages = this.#pages.get(id) ?? new KeptPages();
    this.#pages.set(id, pages);
    const saved = this.#saved.get(id);
    const holdings = new MemoryHoldings(clock, pages, saved?.holdings ?? null);
    const storage = disk.mount(clock);
    const fail = (error: CrawlError): never => assert.fail(error);
    const logs = { clock, random, storage, report: fail, fail };
    const named: string[] = [];
    const announced: string[] = [];
    const peer = { view, holdings, named, announced } as unknown as CustodyPeer;
    const background = new SimBackground({ clock, random, disk });
    const claimsParts = {
      ...logs,
      background,
      memoryBytes: 500,
      segmentBytesMax: 2000,
      keepsDepths: true,
    };
    const began = saved?.marks.claims ?? null;
    openClaims(claimsParts, began, (_claimsError, claims) =>
      openOutboxes(
        {
          ...{ ...logs, settings: DELIVERY, isReachable: (place) => view.isAlive(place) },
          transportTo: (place) => frameTransport(messenger, place),
        },
        (_outboxesError, outboxes) => {
          assert.ok(claims !== undefined && outboxes !== undefined, "they open");
          peer.outboxes = outboxes;
          peer.custody = new Custody({
            ...{ clock, outboxes, holdings, claims, messenger, failed: fail, timeoutMs: 200 },
            ...{ self: () => view.self, view: () => view, changed: () => undefined },
            named: (place) => named.push(placeText(place)),
            announced: (place) => announced.push(placeText(place)),
          });
          view.changed = () => peer.custody.viewChanged();
          peer.custody.viewChanged();
          this.#openInbox(peer, { ...logs, mark: saved?.inbox ?? null }, () => {
            serveFrames(
              messenger,
              () => peer.inbox,
              (place) => !view.isGivenUp(place),
            );
            peer.custody.resume(saved?.marks ?? null);
          });
        },
      ),
    );
    return peer;
  }

  #openInbox(
    peer: CustodyPeer,
    {
      mark,
      ...logs
    }: Omit<Parameters<typeof openInbox>[0], "segmentBytesMax" | "arrived" | "isBusy"> & {
      readonly mark: number | null;
    },
    done: () => void,
  ): void {
    openInbox(
      {
        ...{ ...logs, segmentBytesMax: 2000, isBusy: () => false },
        arrived: (entries) => peer.custody.arrived(entries),
      },
      mark,
      (error, inbox) => {
        assert.ifError(error);
        peer.inbox = inbox as Inbox;
        peer.inbox.replay(done);
      },
    );
  }
}
