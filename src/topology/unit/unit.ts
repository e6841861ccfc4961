/**
 * What every unit is given: its name, its settings, the providers it asked for, its metrics, a clock.
 * Settings and providers are looked up each time they are asked for, so a change has its effect at
 * once, on whatever is read afterwards.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { MetricDefinitions, MetricsOf } from "../../base/telemetry/index.ts";
import type { ProviderRoles, ServicesOf } from "./provider.ts";

export interface Unit<
  Roles extends ProviderRoles = ProviderRoles,
  Settings extends object = object,
  Metrics extends MetricDefinitions = MetricDefinitions,
> {
  /** Its id in the topology, and for one of several instances its number: `parser`, `parser#2`. */
  readonly name: string;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly providers: ServicesOf<Roles>;
  readonly metrics: MetricsOf<Metrics>;
  /** Tells of something that went wrong and ends nothing. */
  report(error: CrawlError): void;
}
