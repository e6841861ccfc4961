import assert from "node:assert/strict";
import { test } from "node:test";
import { type Entry, openOutboxes } from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import { entryOf } from "../../holdings/index.ts";
import { Kernel } from "../simulator/index.ts";
import { fillOutboxes } from "./scramble-outboxes.ts";
import { DELIVERY } from "./sim-agent.ts";
import { SimMachine } from "./sim-machine.ts";
import { ticketOf } from "./small-web.ts";

const KNOWN: Place = { id: "a1", generation: 7 };
const GONE: Place = { id: "a2", generation: 3 };

const entryAt = (path: string) => entryOf(ticketOf(`http://h1.example/${path}`, 1));
const keyOf = (entry: Entry): string => (entry.kind === "url" ? `${entry.high} ${entry.low}` : "");

test("I3: outboxes have what was drawn: some to be sent, some that counts as acknowledged", () => {
  const kernel = new Kernel({ seed: "outboxes" });
  const machine = new SimMachine("a0", kernel.random);
  const failed = (error: Error): void => assert.fail(error.message);
  const drawn = [
    { place: KNOWN, pending: [entryAt("1"), entryAt("2")], retained: [entryAt("0")] },
    { place: GONE, pending: [], retained: [entryAt("3")] },
  ];
  fillOutboxes(machine, drawn, { kernel, random: kernel.random, failed });
  kernel.pass(500);
  const { clock, random } = kernel;
  const storage = machine.disk.mount(clock);
  const told = new Map<Place, string[]>();
  const pending: number[] = [];
  openOutboxes(
    {
      ...{ storage, clock, random, settings: DELIVERY, report: failed, fail: failed },
      ...{ transportTo: () => ({ request: () => undefined }), isReachable: () => false },
    },
    (error, outboxes) => {
      assert.ifError(error);
      for (const { place } of drawn) {
        const keys: string[] = [];
        told.set(place, keys);
        pending.push(outboxes?.pendingAt(place) ?? -1);
        const take = (entries: readonly Entry[], next: () => void): void => {
          keys.push(...entries.map(keyOf));
          next();
        };
        outboxes?.each(place, take, (failure) => assert.ifError(failure));
      }
    },
  );
  kernel.pass(500);
  assert.deepEqual(told.get(KNOWN), ["0", "1", "2"].map(entryAt).map(keyOf));
  assert.deepEqual(told.get(GONE), [keyOf(entryAt("3"))]);
  assert.deepEqual(pending, [2, 0]);
});
