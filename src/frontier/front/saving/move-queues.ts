/**
 * Moves the records of all hosts from one set of queues to others, each queue in its order, in bounded
 * memory: a few hosts at a time, a few records of each. The old queues are not asked for a checkpoint,
 * so opening them with their marks brings everything back.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Acknowledge } from "../../../base/seams/index.ts";
import type { HostQueues, RecordBatch } from "../../queues/index.ts";
import { priorityInRecord } from "../../ticket/index.ts";

export interface QueuesToMove {
  readonly from: HostQueues;
  /** How many hosts have numbers there. */
  readonly hosts: number;
  /** The queues into which the records of a host go, and its number there. */
  targetOf(host: number): { readonly queues: HostQueues; readonly number: number };
}

/** How many hosts are read at once: their reads go to disk together. */
const HOSTS_AT_ONCE = 128;
const RECORDS_AT_ONCE = 256;

export function moveQueues(options: QueuesToMove, done: Acknowledge): void {
  new QueueMove(options, done).work();
}

class QueueMove {
  readonly #options: QueuesToMove;
  readonly #done: Acknowledge;
  #host = 0;
  #underWay = 0;
  #failure: CrawlError | null = null;
  #isOver = false;
  /** Queues that are given time to write, with the hosts that wait for it. */
  readonly #settling = new Map<HostQueues, number[]>();

  constructor(options: QueuesToMove, done: Acknowledge) {
    this.#options = options;
    this.#done = done;
  }

  work(): void {
    const { from, hosts } = this.#options;
    while (this.#failure === null && this.#underWay < HOSTS_AT_ONCE && this.#host < hosts) {
      const host = this.#host;
      this.#host += 1;
      if (from.count(host) === 0) continue;
      this.#underWay += 1;
      this.#pull(host);
    }
    if (this.#underWay > 0 || this.#isOver) return;
    this.#isOver = true;
    this.#done(this.#failure);
  }

  #pull(host: number): void {
    this.#options.from.pull(host, RECORDS_AT_ONCE, (error, batch) => {
      if (error === null) this.#push(host, batch);
      // URLs of a damaged queue would be lost: it is made again from archive and crawl log instead.
      else this.#fail(error);
    });
  }

  #push(host: number, batch: RecordBatch): void {
    const { queues, number } = this.#options.targetOf(host);
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    for (let at = 0; at < batch.count; at += 1) {
      const from = batch.startOf(at);
      queues.push(number, bytes, from, batch.endOf(at), priorityInRecord(bytes, from));
    }
    if (queues.isFull) this.#settle(queues, host);
    else this.#goOn(host);
  }

  #goOn(host: number): void {
    if (this.#failure === null && this.#options.from.count(host) > 0) this.#pull(host);
    else this.#end();
  }

  /** Waits until the queues have written enough; a full disk is told by their checkpoint. */
  #settle(queues: HostQueues, host: number): void {
    const waiting = this.#settling.get(queues);
    if (waiting !== undefined) {
      waiting.push(host);
      return;
    }
    const hosts = [host];
    this.#settling.set(queues, hosts);
    const settle = (): void =>
      queues.checkpoint((error, _marks) => {
        // Nobody keeps marks of queues that are only being made.
        if (error === null) queues.committed();
        if (error === null && queues.isFull) settle();
        else {
          this.#settling.delete(queues);
          this.#failure ??= error;
          for (const each of hosts) this.#goOn(each);
        }
      });
    settle();
  }

  #fail(error: CrawlError): void {
    this.#failure ??= error;
    this.#end();
  }

  #end(): void {
    this.#underWay -= 1;
    this.work();
  }
}
