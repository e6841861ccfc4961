/**
 * Telemetry: what the parts of the program count and measure about themselves.
 *
 * A part declares its metrics as data (`counter("pages parsed")`), opens them, and writes to them: an
 * addition, without a call to anybody else. Whoever wants to know reads all of them at once; nothing is
 * sent anywhere by itself.
 *
 * Read `metrics.ts`.
 */
export {
  Counter,
  counter,
  gauge,
  histogram,
  type MetricDefinition,
  type MetricDefinitions,
  type MetricsOf,
  openMetrics,
  type Reading,
  readMetrics,
} from "./metrics.ts";
