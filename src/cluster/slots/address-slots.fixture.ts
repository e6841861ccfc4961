/** Agents with address slots on a calm network, for tests. */
import assert from "node:assert/strict";
import { type Peer, type PeerMember, Peers } from "../../../test/support/cluster/peers.ts";
import type { Messenger } from "../messages/index.ts";
import { addressKey } from "../ring/index.ts";
import { AddressSlots, type Release } from "./address-slots.ts";
import type { SlotSettings } from "./slot-settings.ts";

export const SETTINGS: SlotSettings = {
  ...{
    ipDelayMs: 250,
    totalTimeoutMs: 3000,
    deadAfterMs: 6000,
    timeoutMs: 400,
    retryMs: 100,
    forgetMs: 20_000,
  },
};
export const IDS: readonly string[] = ["a", "b", "c"];

/** An address whose granter is this agent while all are there, and the other one without it. */
export function addressOf(rig: Rig, granter: string, heir?: string): string {
  const view = rig.peers.view("a");
  for (let number = 1; number < 10_000; number += 1) {
    const address = `192.0.${number >> 8}.${number & 255}`;
    const key = addressKey(address);
    const next = view.ownerAmong(key, (id) => id !== granter);
    if (view.ownerOf(key) === granter && (heir ?? next) === next) return address;
  }
  assert.fail(`${granter} grants nothing`);
}

export class Rig {
  readonly peers: Peers<AddressSlots>;
  readonly settings: { -readonly [Name in keyof SlotSettings]: SlotSettings[Name] } = {
    ...SETTINGS,
  };
  /** What was asked: `a b slot.request`. */
  readonly asked: string[] = [];
  /** Called with `a b slot.request` before b serves it; by how much the reply is late, null for not. */
  onServe: (what: string) => number | null = () => null;
  /** Called with what is asked, when it is. */
  onSend: (what: string, body: unknown) => void = () => undefined;
  readonly #messengers = new Map<string, Messenger>();
  /** What flies and has flown: `a 192.0.0.1`, with when. */
  readonly flights: { readonly who: string; readonly atMs: number }[] = [];

  constructor(ids: readonly string[] = IDS, seed = "slots") {
    this.peers = new Peers({ seed, ids, boot: (peer) => this.#boot(peer) });
    this.peers.kernel.pass(1000);
  }

  #boot({ id, life, messenger, view }: Peer): AddressSlots {
    this.#messengers.set(id, messenger);
    const slots = new AddressSlots({
      ...{ clock: life.clock, view, settings: this.settings },
      messenger: {
        serve: (type, listener) =>
          messenger.serve(type, (from, body, respond) => {
            const kind = type.kind.replace("cluster.", "");
            const hold = this.onServe(`${from.place.id} ${id} ${kind}`);
            listener(from, body, (reply) => {
              if (hold === null) respond(reply);
              else this.peers.kernel.schedule(hold, () => respond(reply));
            });
          }),
        ask: (place, type, question, answered) => {
          const what = `${id} ${place.id} ${type.kind.replace("cluster.", "")}`;
          this.asked.push(what);
          this.onSend(what, question.body);
          messenger.ask(place, type, question, answered);
        },
      },
    });
    view.changed = () => slots.viewChanged();
    slots.start();
    return slots;
  }

  acquire(id: string, address: string): Release {
    return this.peers.program(id).acquire(address, () => {
      this.flights.push({ who: `${id} ${address}`, atMs: this.peers.kernel.nowMs });
    });
  }

  /** Acquires, flies, and ends at once. */
  fetch(id: string, address: string): void {
    const release = this.acquire(id, address);
    this.pass(100);
    release();
  }

  pass(virtualMs: number): this {
    this.peers.kernel.pass(virtualMs);
    return this;
  }

  messenger(id: string): Messenger {
    return this.#messengers.get(id) as Messenger;
  }

  get now(): number {
    return this.peers.kernel.nowMs;
  }

  /** Who has flown, in order. */
  get flown(): string[] {
    return this.flights.map(({ who }) => who.slice(0, 1));
  }

  see(id: string, standing: PeerMember["standing"]): void {
    this.peers.set(id, standing);
  }

  restart(id: string): void {
    this.peers.cluster.node(id).start();
  }
}
