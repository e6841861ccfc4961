/** Name servers written by hand, driven by any clock. */

import type { Clock } from "../../../src/base/seams/index.ts";
import type { AddressLookup, AliasAnswer, LookupAnswer } from "../../../src/fetch/dns/index.ts";

/** What a name has: addresses of both families, one answer for both, or a function. */
export type TableName =
  | readonly string[]
  | LookupAnswer
  | ((family: 4 | 6, earlier: number) => readonly string[] | LookupAnswer | "silence");

export interface TableLookupOptions {
  readonly clock: Clock;
  readonly names: Readonly<Record<string, TableName>>;
  /** What is asked about a name's alias; without an entry it is none, and `silence` is no answer. */
  readonly aliases?: Readonly<Record<string, string | AliasAnswer>>;
  readonly ttlSeconds?: number;
  readonly delayMs?: number;
}

export class TableLookup implements AddressLookup {
  /** Every question so far, as `name/family` or `name/alias`. */
  readonly asked: string[] = [];
  inFlight = 0;
  inFlightPeak = 0;
  isClosed = false;
  readonly #options: TableLookupOptions;

  constructor(options: TableLookupOptions) {
    this.#options = options;
  }

  ask(name: string, family: 4 | 6, answered: (answer: LookupAnswer) => void): void {
    const { clock, delayMs = 10 } = this.#options;
    const question = `${name}/${family}`;
    const earlier = this.asked.filter((one) => one === question).length;
    this.asked.push(question);
    this.inFlight += 1;
    this.inFlightPeak = Math.max(this.inFlightPeak, this.inFlight);
    const answer = this.#answerOf(name, family, earlier);
    if (answer === null) return;
    clock.after(delayMs, () => {
      this.inFlight -= 1;
      answered(answer);
    });
  }

  askAlias(name: string, answered: (answer: AliasAnswer) => void): void {
    const { clock, aliases = {}, delayMs = 10 } = this.#options;
    this.asked.push(`${name}/alias`);
    const entry = aliases[name] ?? { kind: "none" };
    if (entry === "silence") return;
    const answer: AliasAnswer = typeof entry === "string" ? { kind: "alias", of: entry } : entry;
    clock.after(delayMs, () => answered(answer));
  }

  close(): void {
    this.isClosed = true;
  }

  #answerOf(name: string, family: 4 | 6, earlier: number): LookupAnswer | null {
    const { names, ttlSeconds = 60 } = this.#options;
    const entry = names[name] ?? names["*"] ?? [];
    const mind = typeof entry === "function" ? entry(family, earlier) : entry;
    if (mind === "silence") return null;
    if ("kind" in mind) return mind;
    const own = mind.filter((address) => address.includes(":") === (family === 6));
    if (own.length === 0) return { kind: "not-found" };
    return { kind: "found", records: own.map((address) => ({ address, ttlSeconds })) };
  }
}
