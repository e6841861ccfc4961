/**
 * What a part of the program counts and measures about itself: numbers that cost next to nothing to
 * write and are read in bulk. A *counter* only grows, a *gauge* has a present value, a *histogram*
 * counts values by size in steps of a factor of two.
 */

export type MetricKind = "counter" | "gauge" | "histogram";

/** A metric as data: for documentation, for exports, for a dashboard. */
export interface MetricDefinition<Kind extends MetricKind = MetricKind> {
  readonly kind: Kind;
  /** One line, such as `pages parsed`. */
  readonly meaning: string;
  /** Such as `ms` or `bytes`; null for a plain number of things. */
  readonly unit: string | null;
}

export function counter(meaning: string, unit: string | null = null): MetricDefinition<"counter"> {
  return { kind: "counter", meaning, unit };
}

export function gauge(meaning: string, unit: string | null = null): MetricDefinition<"gauge"> {
  return { kind: "gauge", meaning, unit };
}

export function histogram(
  meaning: string,
  unit: string | null = null,
): MetricDefinition<"histogram"> {
  return { kind: "histogram", meaning, unit };
}

export class Counter {
  value = 0;

  add(count = 1): void {
    this.value += count;
  }

  read(): number {
    return this.value;
  }
}

export class Gauge {
  value = 0;

  set(value: number): void {
    this.value = value;
  }

  read(): number {
    return this.value;
  }
}

/** Values below 1 are in bucket 0, those from 2^(n-1) up to 2^n in bucket n, the rest in the last. */
const BUCKETS = 54;

export interface HistogramReading {
  readonly count: number;
  readonly sum: number;
  /** Upper bounds with how many values are below each and not below the one before; empty ones left out. */
  readonly buckets: readonly { readonly below: number; readonly count: number }[];
}

export class Histogram {
  #count = 0;
  #sum = 0;
  readonly #buckets = new Float64Array(BUCKETS);

  record(value: number): void {
    const bucket = value < 1 ? 0 : Math.min(BUCKETS - 1, Math.floor(Math.log2(value)) + 1);
    this.#count += 1;
    this.#sum += value;
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
  }

  read(): HistogramReading {
    const buckets = Array.from(this.#buckets, (count, at) => ({ below: 2 ** at, count }));
    return {
      count: this.#count,
      sum: this.#sum,
      buckets: buckets.filter(({ count }) => count > 0),
    };
  }
}

export type Metric = Counter | Gauge | Histogram;
export type Reading = number | HistogramReading;

export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;

/** The metrics that these definitions declare. */
export type MetricsOf<Definitions extends MetricDefinitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name]["kind"] extends "counter"
    ? Counter
    : Definitions[Name]["kind"] extends "gauge"
      ? Gauge
      : Histogram;
};

export function openMetrics<Definitions extends MetricDefinitions>(
  definitions: Definitions,
): MetricsOf<Definitions> {
  const entries = Object.entries(definitions).map(([name, { kind }]) => [name, openMetric(kind)]);
  // `openMetric` has just made one of each declared kind.
  return Object.fromEntries(entries) as MetricsOf<Definitions>;
}

function openMetric(kind: MetricKind): Metric {
  if (kind === "counter") return new Counter();
  return kind === "gauge" ? new Gauge() : new Histogram();
}

/** The present values of all of them. */
export function readMetrics(metrics: Readonly<Record<string, Metric>>): Record<string, Reading> {
  return Object.fromEntries(Object.entries(metrics).map(([name, one]) => [name, one.read()]));
}
