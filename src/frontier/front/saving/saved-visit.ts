/** What a checkpoint holds of a visit state: plain values, written as JSON. */

import type { SavedReach } from "../hosts/state/host-reach.ts";
import type { SavedTickets } from "../hosts/state/host-tickets.ts";
import type { SavedWaits } from "../hosts/state/host-waits.ts";
import type { SavedOrigin } from "../visits/origin-robots.ts";

export interface SavedVisit {
  readonly waits: SavedWaits;
  readonly reach: SavedReach;
  readonly origins: readonly SavedOrigin[];
  readonly tickets: SavedTickets;
}
