/**
 * Claim: a frontier on disk with 100,000 hosts holds no more than a tenth above what it was given.
 * The first argument says how many hosts (100,000), the second how many MiB `frontier.memory` is
 * (32). Held is JavaScript's heap and what is beside it after a full collection, less what the
 * process held before.
 */

import { heldBytes } from "../test/support/base/held-bytes.ts";
import { FrontierLoad } from "../test/support/frontier/frontier-load.ts";

const HOSTS = Number(process.argv[2] ?? 100_000);
const MIB = 2 ** 20;
const MEMORY_BYTES = Number(process.argv[3] ?? 32) * MIB;
const PAGES = 5;
const LOOKS = 20;

function mebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

const beforeBytes = heldBytes();
const load = new FrontierLoad({ hosts: HOSTS, pagesPerHost: PAGES, memoryBytes: MEMORY_BYTES });
await load.open();
let heldMax = 0;
let lookAt = 0;
await load.run(() => {
  if (load.pages < lookAt) return;
  lookAt += (HOSTS * PAGES) / LOOKS;
  const held = heldBytes() - beforeBytes;
  heldMax = Math.max(heldMax, held);
  const { memory } = load.frontier.status();
  const owners = Object.entries({ ...memory, addresses: load.addresses.memoryBytes });
  const shares = owners.map(([owner, bytes]) => `${owner} ${mebibytes(bytes)}`);
  console.log(`${load.pages} pages, held ${mebibytes(held)} MiB: ${shares.join(", ")}`);
});
await load.close();
const resident = process.resourceUsage().maxRSS * 1024;
console.log(`${HOSTS} hosts, ${PAGES} pages each, frontier.memory ${mebibytes(MEMORY_BYTES)} MiB`);
console.log(`held at most ${mebibytes(heldMax)} MiB, resident at most ${mebibytes(resident)} MiB`);
