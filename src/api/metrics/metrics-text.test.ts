import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlSummary } from "../../agent/index.ts";
import { metricsText } from "./metrics-text.ts";

const SUMMARY = {
  ...{ state: "paused", reason: "none", pages: 7, fetches: 9, urls: 20, queued: 4, bytes: 5000 },
  ...{ seconds: 1.5, pagesPerSecond: 4.7, duplicates: 1, nearDuplicates: 2, truncated: 3 },
  ...{
    hosts: 5,
    views: 1,
    requisites: 0,
    agents: 1,
    outbox: { pending: 0, lagSeconds: 0, retained: 0 },
    limit: null,
  },
  status: { 200: 5, 404: 1, 299: 2, 799: 3, "0": 4 },
  errors: { FETCH_TIMEOUT: 2 },
  ...{ refused: { robots: 3 }, idle: { paused: 1 }, politeRate: 2.5, failedSeeds: [] },
  memory: { 'odd "owner"\n\\': 10 },
} as unknown as CrawlSummary;
const USE = { residentBytes: 1, heapBytes: 2, cpuSeconds: 3.5, loopBusySeconds: 0.25 };
const UNIT = {
  ...{ id: "parser", kind: "filter", unit: "parser", state: "running", instances: 2 },
  ...{ inFlight: 1, waitingOut: 0, metrics: { taken: 12 }, inputs: {}, outputs: {} },
} as const;
const UNITS = {
  units: [{ ...UNIT, providers: {} }],
  connectors: [{ id: "visits", type: "visit", capacity: 5, length: 3, dropped: 0 }],
};

const lines = metricsText(SUMMARY, UNITS as never, { use: USE }).split("\n");

test("counts are counters in base units, and what goes up and down are gauges", () => {
  for (const line of [
    ...["trobar_pages_total 7", "trobar_fetches_total 9", "trobar_received_bytes_total 5000"],
    ...["trobar_running_seconds_total 1.5", "trobar_queued_urls 4", "trobar_hosts 5"],
    ...['trobar_state{state="paused"} 1', 'trobar_state{state="running"} 0'],
    ...['trobar_errors_total{code="FETCH_TIMEOUT"} 2', 'trobar_idle{reason="paused"} 1'],
    ...['trobar_refused_urls_total{reason="robots"} 3', "trobar_process_cpu_seconds_total 3.5"],
    ...['trobar_unit_taken_items_total{unit="parser"} 12', 'trobar_unit_items{unit="parser"} 1'],
    ...['trobar_connector_items{connector="visits"} 3', "trobar_polite_pages_per_second 2.5"],
  ]) {
    assert.ok(lines.includes(line), line);
  }
});

test("statuses that no standard knows share a label, so that servers cannot add series", () => {
  const responses = lines.filter((line) => line.startsWith("trobar_responses_total{"));
  assert.deepEqual(responses.toSorted(), [
    'trobar_responses_total{class="2xx",code="200"} 5',
    'trobar_responses_total{class="2xx",code="other"} 2',
    'trobar_responses_total{class="4xx",code="404"} 1',
    'trobar_responses_total{class="other",code="other"} 7',
  ]);
});

test("whatever statuses servers send, there are not more than some eighty series of them", () => {
  const status = Object.fromEntries(Array.from({ length: 2000 }, (_, code) => [code, 1]));
  const text = metricsText({ ...SUMMARY, status }, UNITS as never, { use: USE });
  const responses = text.split("\n").filter((line) => line.startsWith("trobar_responses_total{"));
  assert.ok(responses.length > 40 && responses.length < 90, String(responses.length));
  assert.ok(responses.includes('trobar_responses_total{class="4xx",code="429"} 1'));
  assert.ok(!responses.some((line) => line.includes('"499"')), "a status of no standard");
});

test("every sample has its help and its type, and labels are escaped", () => {
  const owner = 'trobar_memory_bytes{owner="odd \\"owner\\"\\n\\\\"} 10';
  assert.ok(lines.includes(owner), "escaped");
  const typed = new Map<string, string>();
  for (const line of lines.filter((one) => one !== "")) {
    const [, name = "", type = ""] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (name !== "") typed.set(name, type);
    const sample = /^(\w+)(?:\{.*\})? -?[\d.e+]+$/.exec(line)?.[1];
    assert.ok(line.startsWith("# ") || typed.has(sample ?? ""), line);
    if (sample?.endsWith("_total")) assert.equal(typed.get(sample), "counter");
  }
});
