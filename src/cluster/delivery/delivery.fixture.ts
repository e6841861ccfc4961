/** Two agents of which `a` tells `b` of entries, each with a disk that may crash, for tests. */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Transport } from "../../base/transport/index.ts";
import { Kernel, type Life, SimCluster, SimDisk } from "../../lab/simulator/index.ts";
import type { Place } from "../messages/index.ts";
import type { Entry, UrlEntry } from "./entry.ts";
import { type Inbox, openInbox } from "./inbox.ts";
import type { DeliverySettings } from "./outbox.ts";
import { type Outboxes, openOutboxes } from "./outboxes.ts";

export const SETTINGS: DeliverySettings = {
  ...{
    batchEntries: 4,
    batchBytes: 1000,
    lingerMs: 20,
    restMs: 20,
    burst: 1,
    waitMsMax: 20,
    timeoutMs: 300,
  },
  ...{ segmentBytesMax: 600, retainBytes: 200, repeatsMax: 100 },
};
/** The place of `b`, which is also the name of its node. */
export const B: Place = { id: "b", generation: 1 };

const ANSWERS = ["taken", "gap", "full", "refused"] as const;
export type Answer = (typeof ANSWERS)[number];

export function entryOf(number: number): UrlEntry {
  const host = `h${number % 3}.example`;
  const record = new TextEncoder().encode(String(number));
  return { kind: "url", host, high: number, low: number, depth: 0, holders: [], record };
}

export function numbersOf(entries: readonly Entry[]): number[] {
  return entries.map((entry) => (entry.kind === "url" ? entry.low : -1));
}

/** What answer these bytes are. */
export function kindOf(body: Uint8Array): Answer {
  return ANSWERS[body[0] ?? -1] as Answer;
}

export class DeliveryRig {
  readonly kernel: Kernel = new Kernel({ seed: "delivery" });
  readonly disks: { readonly a: SimDisk; readonly b: SimDisk };
  /** What `b` was handed, in the present life of it, and how many at a time. */
  arrived: number[] = [];
  readonly batches: number[] = [];
  readonly reports: string[] = [];
  isBusy = false;
  isReachable = true;
  /** While true, what `a` sends goes nowhere, and is kept. */
  isIntercepted = false;
  readonly intercepted: Uint8Array[] = [];
  mark: Position | null = null;
  readonly #cluster: SimCluster;
  #outboxes: Outboxes | null = null;
  #inbox: Inbox | null = null;
  /** Whether `b` hands over what its last life had received as soon as it is open. */
  isReplaying = true;

  readonly #settings: DeliverySettings;

  constructor(changes: Partial<DeliverySettings> = {}) {
    const { random } = this.kernel;
    this.#settings = { ...SETTINGS, ...changes };
    this.disks = { a: new SimDisk(random.fork("a")), b: new SimDisk(random.fork("b")) };
    this.#cluster = new SimCluster(this.kernel);
    this.#cluster.add("a", (life, transport) => this.#bootSender(life, transport));
    this.#cluster.add("b", (life, transport) => this.#bootReceiver(life, transport));
    this.pass();
  }

  get outboxes(): Outboxes {
    assert.ok(this.#outboxes !== null, "a is open");
    return this.#outboxes;
  }

  get inbox(): Inbox {
    assert.ok(this.#inbox !== null, "b is open");
    return this.#inbox;
  }

  pass(virtualMs = 2000): this {
    this.kernel.pass(virtualMs);
    return this;
  }

  append(...numbers: readonly number[]): this {
    for (const number of numbers) this.outboxes.append(B, entryOf(number));
    return this;
  }

  /** The power fails, and is back at once. */
  crash(id: "a" | "b"): this {
    this.#cluster.takeDown(id);
    this.disks[id].crash();
    this.#cluster.node(id).start();
    return this.pass();
  }

  /** Brings a frame to `b`; null if it has not answered after a while. */
  bring(frame: Uint8Array | undefined): Answer | null {
    let answer: Answer | null = null;
    this.inbox.receive(frame ?? new Uint8Array(), (body) => {
      answer = kindOf(body);
    });
    this.pass(50);
    return answer;
  }

  /** The frames in which `a` would send these, each in one of its own. */
  framesOf(...numbers: readonly number[]): readonly Uint8Array[] {
    this.isIntercepted = true;
    const frames = new Map<string, Uint8Array>();
    for (const [before, number] of numbers.entries()) {
      this.append(number);
      const isSent = (): boolean => {
        // One without an answer is sent again.
        for (const frame of this.intercepted) frames.set(frame.join(), frame);
        return frames.size > before;
      };
      this.kernel.runUntil(isSent, { stepsMax: 10_000, virtualMsMax: 10_000 });
    }
    this.isIntercepted = false;
    this.isReachable = false;
    this.outboxes.reachabilityChanged();
    return [...frames.values()];
  }

  /** Records a checkpoint of `b`. */
  record(): this {
    this.inbox.mark((error, mark) => {
      assert.ifError(error);
      this.mark = mark ?? null;
      this.inbox.recorded(mark ?? 0);
    });
    return this.pass(50);
  }

  /** Everything that `b` was ever told, by `a`; whoever takes it needs so long for each part. */
  told(slowMs = 1): readonly number[] {
    const told: number[] = [];
    let isOver = false;
    this.outboxes.each(
      B,
      (entries, next) => {
        told.push(...numbersOf(entries));
        this.kernel.schedule(slowMs, next);
      },
      (error) => {
        assert.ifError(error);
        isOver = true;
      },
    );
    this.pass();
    assert.ok(isOver, "all of it was read");
    return told;
  }

  readonly #report = (error: CrawlError): void => void this.reports.push(error.code);

  #bootSender(life: Life, transport: Transport): void {
    const { clock, random } = life;
    const request: Transport["request"] = (to, message, timeoutMs, answered) => {
      if (!this.isIntercepted) return transport.request(to, message, timeoutMs, answered);
      this.intercepted.push(message.body.slice());
      clock.after(timeoutMs, () => answered({ kind: "timed-out" }));
    };
    openOutboxes(
      {
        ...{ clock, random, storage: this.disks.a.mount(clock), settings: this.#settings },
        ...{ transportTo: () => ({ request }), isReachable: () => this.isReachable },
        ...{ report: this.#report, fail: this.#report },
      },
      (error, outboxes) => {
        assert.ifError(error);
        this.#outboxes = outboxes ?? null;
      },
    );
  }

  #bootReceiver(life: Life, transport: Transport): void {
    const { clock, random } = life;
    this.arrived = [];
    transport.serve("connector", (_from, body, respond) => this.#inbox?.receive(body, respond));
    openInbox(
      {
        ...{ clock, random, storage: this.disks.b.mount(clock), segmentBytesMax: 600 },
        isBusy: () => this.isBusy,
        arrived: (entries) => {
          this.arrived.push(...numbersOf(entries));
          this.batches.push(entries.length);
        },
        ...{ report: this.#report, fail: this.#report },
      },
      this.mark,
      (error, inbox) => {
        assert.ifError(error);
        this.#inbox = inbox ?? null;
        if (this.isReplaying) inbox?.replay((failure) => assert.ifError(failure));
      },
    );
  }
}
