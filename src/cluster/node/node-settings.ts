/** How a node of a cluster is set: the settings of its parts. All may change but those of membership. */
import type { DeliverySettings } from "../delivery/index.ts";
import type { LimitSettings } from "../limits/index.ts";
import type { MembershipSettings } from "../membership/index.ts";
import type { ShippingSettings } from "../pages/index.ts";
import type { QuerySettings } from "../queries/index.ts";
import type { SlotSettings } from "../slots/index.ts";
import type { TerminationSettings } from "../termination/index.ts";

export interface NodeSettings {
  readonly membership: MembershipSettings;
  readonly delivery: DeliverySettings;
  readonly slots: SlotSettings;
  readonly termination: TerminationSettings;
  readonly shipping: ShippingSettings;
  /** Whether pages go with their hosts, and with agents that leave; else they stay where they are. */
  readonly migrate: boolean;
  /** Memory for the table of claims. */
  readonly claimsBytes: number;
  /** Whether the crawl has a depth limit: what holders of pages know of depths is compared only then (U6). */
  readonly keepsDepths: boolean;
  readonly limits: LimitSettings;
  readonly queries: QuerySettings;
  /** How long a question about a page is waited for before it is repeated. */
  readonly askTimeoutMs: number;
}
