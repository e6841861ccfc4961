/** Where redirects lead: the next URL of every redirecting one, from the model. */
import type { Role } from "./role.ts";
import { HOP_FIRST, PLAIN } from "./variant.ts";
import type { WebModel } from "./web-model.ts";

export interface Hop {
  readonly host: number;
  readonly slot: number;
  readonly variant: number;
}

const REDIRECTS: ReadonlySet<Role> = new Set([
  "redirect-near",
  "redirect-away",
  "redirect-chain",
  "redirect-long",
  "redirect-loop",
  "redirect-odd",
]);

export function isRedirect(role: Role): boolean {
  return REDIRECTS.has(role);
}

/** The URL that a redirecting slot, or one of its hops, names; null when it names none. */
export function nextHop(model: WebModel, from: Hop): Hop | null {
  const { hosts, slots } = model;
  const { host, slot, variant } = from;
  const content = hosts.contentOf(host);
  const hops = slots.hops(content, slot);
  const done = variant < HOP_FIRST ? 0 : variant - HOP_FIRST + 1;
  switch (slots.role(content, slot)) {
    case "redirect-near":
      return { host, slot: slots.nearTarget(content, slot), variant: PLAIN };
    case "redirect-away":
      return { ...slots.awayTarget(content, slot), variant: PLAIN };
    case "redirect-chain":
    case "redirect-long":
      return done + 1 < hops
        ? { host, slot, variant: HOP_FIRST + done }
        : { host, slot: slots.nearTarget(content, slot), variant: PLAIN };
    case "redirect-loop":
      return { host, slot, variant: done + 1 < hops ? HOP_FIRST + done : PLAIN };
    default:
      return null;
  }
}
