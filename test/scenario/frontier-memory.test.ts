/** What a frontier on a real disk holds, against what it was given. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { heldBytes } from "../support/base/held-bytes.ts";
import { FrontierLoad } from "../support/frontier/frontier-load.ts";

const IS_FULL = process.env["TROBAR_FULL"] === "1";
const HOSTS = IS_FULL ? 100_000 : 12_000;
const MEMORY_BYTES = (IS_FULL ? 32 : 16) * 2 ** 20;
const PAGES = 3;

test("everything a frontier holds is inside the memory it was given, and is counted", async () => {
  const before = heldBytes();
  const options = { hosts: HOSTS, pagesPerHost: PAGES, memoryBytes: MEMORY_BYTES };
  const load = new FrontierLoad({ ...options, settings: { hostDelayMs: 100 } });
  await load.open();
  let [heldMax, countedMax, hostsMax, looks, slept] = [0, 0, 0, 0, 0];
  let lookAt = 0;
  await load.run(() => {
    if (load.pages < lookAt) return;
    lookAt += (HOSTS * PAGES) / 8;
    looks += 1;
    const held = heldBytes() - before;
    const { memory, idle } = load.frontier.status();
    const counted = Object.values(memory).reduce((sum, bytes) => sum + bytes, 0);
    slept = Math.max(slept, idle.memory ?? 0);
    heldMax = Math.max(heldMax, held);
    countedMax = Math.max(countedMax, counted + load.addresses.memoryBytes);
    const { hosts, states, robots } = memory;
    hostsMax = Math.max(hostsMax, hosts + states + robots + load.addresses.memoryBytes);
  });
  await load.close();
  assert.equal(load.pages, HOSTS * PAGES);
  assert.ok(looks >= 5, `looked ${looks} times`);
  assert.ok(slept > HOSTS / 10, `only ${slept} hosts had to sleep for want of memory`);
  // The windows of visit states that are there may still fill.
  assert.ok(hostsMax < 0.6 * MEMORY_BYTES, `${hostsMax} for hosts, of ${MEMORY_BYTES}`);
  assert.ok(heldMax < 1.1 * MEMORY_BYTES, `${heldMax} held of ${MEMORY_BYTES}`);
  assert.ok(countedMax < 1.1 * MEMORY_BYTES, `${countedMax} counted of ${MEMORY_BYTES}`);
  assert.ok(
    Math.abs(heldMax - countedMax) < 0.25 * heldMax,
    `${heldMax} held, ${countedMax} counted`,
  );
});
