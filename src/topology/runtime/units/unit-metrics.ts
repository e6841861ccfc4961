/** What the runtime measures of every component, beside what its author declares. */
import { counter, type MetricDefinition, type MetricsOf } from "../../../base/telemetry/index.ts";

export const COMPONENT_METRICS: Readonly<
  Record<"taken" | "emitted" | "failed" | "blocked" | "busyMs", MetricDefinition<"counter">>
> = {
  taken: counter("items taken from inputs"),
  emitted: counter("items handed to outputs"),
  failed: counter("items on which the unit failed"),
  blocked: counter("batches that had to wait for room in an output"),
  busyMs: counter("time spent in the unit's own code", "ms"),
};

export type ComponentMetrics = MetricsOf<typeof COMPONENT_METRICS>;
