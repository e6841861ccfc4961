/**
 * Claim: simulated time is cheap: millions of events a second, at no less than half the rate of a
 * bare binary heap of callbacks; a message between nodes costs a few events. A thousand events are
 * always waiting, each schedules the next with a drawn delay; the reference is the same on a heap
 * without cancelling, tracing or limits, in the same run, rounds interleaved, medians compared.
 * `node bench/simulator-kernel.ts [rounds]`
 */
import { SeededRandom } from "../src/base/random/index.ts";
import { Kernel, SimCluster } from "../src/lab/simulator/index.ts";

const EVENTS = 300_000;
const WAITING = 1000;
const rounds = Number(process.argv[2] ?? 9);

/** The least that could do the work: instants and callbacks in one array, nothing else. */
function bareHeap(): void {
  const random = new SeededRandom("bench");
  const heap: { at: number; run: () => void }[] = [];
  let now = 0;
  const push = (at: number, run: () => void): void => {
    const item = { at, run };
    let hole = heap.length;
    heap.push(item);
    while (hole > 0) {
      const above = (hole - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.at <= at) break;
      heap[hole] = parent;
      hole = above;
    }
    heap[hole] = item;
  };
  const pop = (): (() => void) | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    now = first.at;
    if (heap.length === 0) return first.run;
    let hole = 0;
    for (;;) {
      let below = 2 * hole + 1;
      let child = heap[below];
      if (child === undefined) break;
      const right = heap[below + 1];
      if (right !== undefined && right.at < child.at) {
        child = right;
        below += 1;
      }
      if (last.at <= child.at) break;
      heap[hole] = child;
      hole = below;
    }
    heap[hole] = last;
    return first.run;
  };
  const again = (): void => push(now + random.below(1000), again);
  for (let index = 0; index < WAITING; index += 1) again();
  for (let index = 0; index < EVENTS; index += 1) pop()?.();
}

function kernelEvents(): void {
  const kernel = new Kernel({ seed: "bench" });
  const random = new SeededRandom("bench");
  const again = (): void => void kernel.schedule(random.below(1000), again);
  for (let index = 0; index < WAITING; index += 1) again();
  kernel.runUntil(() => false, { stepsMax: EVENTS, virtualMsMax: 1e12 });
}

function nodeTimers(): void {
  const kernel = new Kernel({ seed: "bench" });
  const random = new SeededRandom("bench");
  const node = new SimCluster(kernel).add("n1", () => {});
  const clock = node.life?.clock;
  const again = (): void => void clock?.after(random.below(1000), again);
  for (let index = 0; index < WAITING; index += 1) again();
  kernel.runUntil(() => false, { stepsMax: EVENTS, virtualMsMax: 1e12 });
}

/** Requests with replies; each is two messages, a time-out set and cancelled, two callbacks. */
function messages(): void {
  const kernel = new Kernel({ seed: "bench" });
  const cluster = new SimCluster(kernel, { lateRatio: 0.05, lateMsMax: 100, reorderRatio: 1 });
  const body = new Uint8Array(32);
  cluster.add("n1", (_life, transport) => {
    transport.serve("echo", (_from, received, respond) => respond(received));
  });
  cluster.add("n2", (_life, transport) => {
    const again = (): void => transport.request("n1", { kind: "echo", body }, 10_000, again);
    for (let index = 0; index < WAITING; index += 1) again();
  });
  kernel.runUntil(() => false, { stepsMax: EVENTS, virtualMsMax: 1e12 });
}

const subjects = { bareHeap, kernelEvents, nodeTimers, messages };
type Subject = keyof typeof subjects;
const names = Object.keys(subjects) as Subject[];
const times: Record<Subject, number[]> = {
  bareHeap: [],
  kernelEvents: [],
  nodeTimers: [],
  messages: [],
};
for (let round = 0; round < rounds; round += 1) {
  for (const name of names) {
    const startedAtMs = performance.now();
    subjects[name]();
    times[name].push(performance.now() - startedAtMs);
  }
}
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
const bareMs = median(times.bareHeap);
for (const name of names) {
  const ms = median(times[name]);
  const rate = (EVENTS / ms / 1000).toFixed(2);
  console.log(
    `${name.padEnd(12)} ${rate} million events/s, ${(bareMs / ms).toFixed(2)} of the bare heap`,
  );
}
