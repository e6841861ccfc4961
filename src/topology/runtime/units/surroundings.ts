/** What the units of one running topology have in common, and what `create` gets from it. */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import type { Unit } from "../../unit/index.ts";
import type { UnitSettings } from "../settings/unit-settings.ts";
import type { Patience } from "./patience.ts";

export interface UnitSurroundings {
  readonly clock: Clock;
  /** How long authors' code is waited for. */
  readonly patience: Patience;
  /** The provider with this id; what is behind it may change. */
  readonly providerOf: (id: string) => { readonly service: unknown };
  readonly report: (error: CrawlError) => void;
}

export interface UnitContextParts {
  readonly name: string;
  /** Ids of providers, by role. */
  readonly roles: Readonly<Record<string, string>>;
  readonly settings: UnitSettings;
  readonly metrics: Unit["metrics"];
  readonly surroundings: UnitSurroundings;
}

export function unitContext(parts: UnitContextParts): Unit {
  const { name, roles, settings, metrics, surroundings } = parts;
  const { clock, providerOf, report } = surroundings;
  const providers: Record<string, unknown> = {};
  for (const [role, id] of Object.entries(roles)) {
    // Looked up once, since units ask for every item.
    const provider = providerOf(id);
    Object.defineProperty(providers, role, { enumerable: true, get: () => provider.service });
  }
  return {
    ...{ name, clock, providers, metrics, report },
    get settings(): object {
      return settings.current;
    },
  };
}
