/** Whatever is done to visit states, each is in one place, and its phase says in which. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type VisitHomeRig,
  visitHomeRig,
} from "../../../../../test/support/frontier/visit-home-rig.ts";
import type { FetchableUrl } from "../../../../formats/url/index.ts";
import type { QueueOrder } from "../../../queues/index.ts";
import type { RobotsErrand } from "../../frontier.ts";
import type { Flight, HostEnd } from "./visit-home.ts";
import type { VisitState } from "./visit-state.ts";

const HOSTS = 6;
const LOST: HostEnd = { kind: "unfetched", code: "DNS_NOT_FOUND" };

type Step = readonly [kind: number, host: number, ms: number];

class Play {
  readonly rig: VisitHomeRig;
  readonly #resolving = new Set<VisitState>();
  readonly #flights = new Map<VisitState, Flight>();

  constructor(order: QueueOrder) {
    this.rig = visitHomeRig(order, { visitsMax: 1, hostDelayMs: 20, addressDelayMs: 10 });
  }

  step([kind, host, ms]: Step): void {
    const { kernel, lines, states, open, offer } = this.rig;
    const state = states.find(host) ?? open(host);
    // Now and then long enough for a visit to be slow.
    if (kind <= 1) kernel.pass(ms > 35 ? 100 * ms : ms);
    else if (kind <= 4) offer(state, `p${ms}`, ms);
    else if (kind === 5) {
      const unresolved = lines.acquireUnresolved();
      if (unresolved !== null) this.#resolving.add(unresolved);
    } else if (kind === 6) this.#endResolve(ms);
    else if (kind <= 8) this.#visit(ms);
    else if (kind <= 10 && this.#flights.has(state)) this.#land(state, ms);
    else if (kind === 11) lines.hasQuick();
    else if (kind === 12 && state.end === null) this.#addTask(state);
    else if (kind === 13) state.weed(() => true, ms % 3);
    else if (kind === 14) lines.ending.first?.takeAnyTicket();
    else if (kind === 15) states.idlest(true)?.close();
    else if (kind === 16) state.settleRobots(state.originOf(urlOf(state)));
    else if (kind === 17) state.wake();
  }

  #endResolve(ms: number): void {
    const { nowMs } = this.rig.kernel;
    const [state = null] = this.#resolving;
    if (state === null) return;
    this.#resolving.delete(state);
    if (ms % 4 > 0) state.resolved([`192.0.2.${ms % 3}`, `192.0.2.${ms % 2}`], nowMs + 10 * ms);
    else {
      if (ms % 8 === 0 && state.end === null) state.giveUp(LOST);
      state.unresolved(ms % 16 < 8 ? nowMs + ms : null, true, ms % 16 === 0);
    }
  }

  #visit(ms: number): void {
    const state = this.rig.lines.acquire();
    if (state === null) return;
    const task = state.takeTask();
    const ticket = task === null ? state.takeTicket(this.rig.kernel.nowMs) : null;
    const { host, address } = state;
    if (task !== null) this.#takeOff(state, { errand: robotsErrand(state), task });
    else if (ticket !== null && ms % 4 > 0) {
      const errand = { kind: "page", ticket, host, address, attempt: 0 } as const;
      this.#takeOff(state, { errand, ticket });
    } else if (ticket !== null) {
      state.putBack(ticket);
      if (ms % 8 === 0) state.waitForRobots(state.originOf(ticket.url));
      else state.holdUntil(this.rig.kernel.nowMs + ms);
    }
    if (!state.isInFlight) state.passTurn();
  }

  #takeOff(state: VisitState, flight: Flight): void {
    state.takeOff(flight);
    this.#flights.set(state, flight);
    this.rig.shares.begin(flight.errand);
  }

  #land(state: VisitState, ms: number): void {
    const { errand } = this.#flights.get(state) ?? assert.fail("it has taken off");
    this.#flights.delete(state);
    this.rig.lines.endVisit(errand, ms % 5 === 0 ? null : 0);
    const ticket = state.takeTicket(this.rig.kernel.nowMs);
    if (ticket !== null && ms % 3 === 0) state.putBack(ticket);
    else if (ticket !== null) state.visit.retry(ticket, this.rig.kernel.nowMs + ms, ms % 2 === 0);
    if (ms % 3 === 1) state.visit.tryNextAddress();
    if (ms === 20 && state.end === null) state.giveUp(LOST);
    if (ms % 2 === 0) state.visit.rest(ms);
    state.land();
  }

  #addTask(state: VisitState): void {
    const url = urlOf(state);
    state.addTask({ owner: state, origin: state.originOf(url), url, redirects: 0 });
  }

  /** Compares every structure with the phases. */
  check(): void {
    const { lines, states, workbench } = this.rig;
    const all = Array.from({ length: HOSTS }, (_, host) => states.find(host)).filter(
      (state) => state !== null,
    );
    const phases = Map.groupBy(all, ({ phase }) => phase);
    const isSeated = ({ seat }: VisitState): boolean => workbench.isWaiting(seat);
    const isInRoom = ({ seat }: VisitState): boolean => lines.waitingRoom.has(seat);
    const polite = phases.get("polite") ?? [];
    const retry = phases.get("retry") ?? [];
    for (const state of all) {
      const mayWait = state.phase === "polite" || state.phase === "retry";
      assert.ok(mayWait || !(isSeated(state) || isInRoom(state)), state.phase);
      if (isSeated(state)) assert.equal(workbench.addressOf(state.seat), state.address);
      assert.equal(state.isInFlight, this.#flights.has(state));
      assert.equal(state.phase === "visited", this.#flights.has(state));
      assert.equal(states.at(state.seat), state);
    }
    assert.ok(polite.every((state) => !isInRoom(state)));
    assert.ok(retry.every((state) => isSeated(state) !== isInRoom(state)));
    assert.equal(lines.behind.size, polite.filter((state) => !isSeated(state)).length);
    const resolving = phases.get("resolving")?.length ?? 0;
    assert.equal(lines.unresolved + lines.resolving, resolving);
    assert.equal(lines.resolving, this.#resolving.size);
    assert.equal(lines.ending.size, phases.get("ending")?.length ?? 0);
    for (const [phase, inPhase] of phases) assert.equal(states.count(phase), inPhase.length);
    assert.equal(states.front, all.length - (phases.get("idle")?.length ?? 0));
    assert.ok(states.heldBytes >= 1600 * all.length && (all.length > 0 || states.heldBytes === 0));
  }
}

function urlOf({ host }: VisitState): FetchableUrl {
  return `http://${host}/robots.txt` as FetchableUrl;
}

function robotsErrand(state: VisitState): RobotsErrand {
  const { host, address } = state;
  const url = urlOf(state);
  const { origin } = state.originOf(url);
  return { kind: "robots", origin, url, host, address, redirects: 0 };
}

for (const order of ["fifo", "lifo", "priority"] as const) {
  test(`workbench and lines agree with the visit states (${order})`, () => {
    const steps = fc.array(fc.tuple(fc.nat(17), fc.nat(HOSTS - 1), fc.nat(40)), {
      minLength: 100,
      maxLength: 400,
    });
    fc.assert(
      fc.property(steps, (moves) => {
        const play = new Play(order);
        for (const move of moves) {
          play.step(move);
          play.check();
        }
      }),
    );
  });
}
