/** Metrics as a page of text, in the format of Prometheus. */

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

export class MetricsPage {
  #text = "";

  get text(): string {
    return this.#text;
  }

  counter(name: string, help: string, value: number): void {
    this.counters(name, help, [[{}, value]]);
  }

  gauge(name: string, help: string, value: number): void {
    this.gauges(name, help, [[{}, value]]);
  }

  counters(name: string, help: string, samples: readonly Sample[]): void {
    this.#add(`${name}_total`, "counter", help, samples);
  }

  gauges(name: string, help: string, samples: readonly Sample[]): void {
    this.#add(name, "gauge", help, samples);
  }

  #add(name: string, type: string, help: string, samples: readonly Sample[]): void {
    this.#text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const [labels, value] of samples) this.#text += `${name}${printed(labels)} ${value}\n`;
  }
}

/** A sample for each name of a table. */
export function by(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([value, count]) => [{ [label]: value }, count]);
}

function printed(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
