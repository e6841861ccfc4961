import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Place } from "../messages/index.ts";
import { Ledger, type LedgerState, type Transfer } from "./ledger.ts";

const PLACES: readonly Place[] = ["a", "b", "c"].map((id) => ({ id, generation: 1 }));
const ALL = { pages: 20, bytes: 1000 };

/** Ledgers that give each other things by messages that are lost, doubled, late; and that crash. */
class Model {
  readonly ledgers: Ledger[] = PLACES.map((_, at) =>
    Ledger.blank("c", at === 0 ? ALL : { pages: 0, bytes: 0 }),
  );
  readonly durable: LedgerState[] = this.ledgers.map(({ state }) => state);
  readonly messages: Transfer[] = [];

  ledger(at: number): Ledger {
    return this.ledgers[at] as Ledger;
  }

  restored(at: number): Ledger {
    return new Ledger(structuredClone(this.durable[at] as LedgerState));
  }

  save(at: number): void {
    this.durable[at] = structuredClone(this.ledger(at).state);
  }

  /** What there is, as far as it is durable: in budgets, and under way and not credited. */
  get sum(): number {
    let sum = 0;
    for (const { budget, out } of this.durable) {
      sum += budget.pages;
      for (const { origin, to, number, amount } of out) {
        const receiver = this.durable[PLACES.findIndex(({ id }) => id === to.id)];
        const last = receiver?.credited[`${origin.id}.${origin.generation}`] ?? 0;
        if (number > last) sum += amount.pages;
      }
    }
    return sum;
  }
}

const step = fc.record({
  kind: fc.constantFrom("give", "deliver", "repeat", "save", "crash"),
  at: fc.nat(2),
  to: fc.nat(2),
  pages: fc.nat(4),
  pick: fc.nat(100),
});

test("M2: whatever is repeated, lost or forgotten in a crash, no token is made or lost", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new Model();
      for (const { kind, at, to, pages, pick } of steps) {
        const ledger = model.ledger(at);
        if (kind === "crash") model.ledgers[at] = model.restored(at);
        else if (kind === "save") model.save(at);
        else if (kind === "give") {
          const place = PLACES[to] as Place;
          const canGive = at !== to && ledger.outTo(place) === null && ledger.budget.pages >= pages;
          if (!canGive) continue;
          const given = ledger.debit(PLACES[at] as Place, place, { pages, bytes: 0 });
          model.save(at);
          model.messages.push(given);
        } else {
          const message = model.messages[pick % Math.max(1, model.messages.length)];
          if (message === undefined) continue;
          const receiver = PLACES.findIndex(({ id }) => id === message.to.id);
          model.ledger(receiver).credit(message);
          model.save(receiver);
          const origin = PLACES.findIndex(({ id }) => id === message.origin.id);
          if (kind === "deliver") model.ledger(origin).acknowledged(message);
        }
        assert.equal(model.sum, ALL.pages);
      }
    }),
  );
});

test("a ledger is the same after it was written down", () => {
  const ledger = Ledger.blank("c", ALL);
  const [a, b] = PLACES as [Place, Place];
  ledger.name(a);
  ledger.debit(a, b, { pages: 3, bytes: 5 });
  ledger.credit({ origin: b, number: 7, to: a, amount: { pages: 1, bytes: 0 } });
  const again = new Ledger(JSON.parse(JSON.stringify(ledger.state)));
  assert.deepEqual(again.state, ledger.state);
  assert.deepEqual(again.budget, { pages: 18, bytes: 995 });
  assert.ok(!again.credit({ origin: b, number: 7, to: a, amount: ALL }));
  assert.ok(again.isNamed(a) && !again.isNamed(b));
});

test("only the acknowledgement of the very transfer counts", () => {
  const ledger = Ledger.blank("c", ALL);
  const [a, b] = PLACES as [Place, Place];
  const first = ledger.debit(a, b, { pages: 3, bytes: 0 });
  assert.ok(ledger.acknowledged(first));
  const second = ledger.debit(a, b, { pages: 3, bytes: 0 });
  assert.ok(!ledger.acknowledged(first));
  assert.equal(ledger.outTo(b), second);
});
