/** What a frontier tells about itself: how much there is, what it waits for, and how fast it may be. */
import type { FrontierStatus } from "./frontier.ts";
import type { HostFrontierParts } from "./frontier-parts.ts";
import { idleReasons } from "./hosts/idle-reasons.ts";
import { type Allowance, allowanceOf } from "./hosts/polite-rate.ts";

/** Errands that are out. */
export interface InFlight {
  readonly all: number;
  readonly pages: number;
}

export function statusOf(parts: HostFrontierParts, inFlight: InFlight): FrontierStatus {
  const { sieve, tally, ledger, memory } = parts;
  return {
    urls: sieve.seen - tally.elsewhere,
    queued: tally.open - inFlight.pages,
    inFlight: inFlight.all,
    hosts: ledger.hostsHere,
    refused: tally.refusals,
    idle: idleReasons(parts),
    allowances: [allowance(parts)],
    memory: memory.byOwner,
  };
}

function allowance({ states, settings, lines }: HostFrontierParts): Allowance {
  return allowanceOf({
    ...{ paced: states.all(), hosts: states.size, addressDelayMs: settings.addressDelayMs },
    rowOf: (address) => lines.workbench.rowOf(address),
  });
}
