/**
 * The metrics of a crawl in the text format of Prometheus. Labels have few values, which the program
 * chooses: states, statuses, codes, reasons, units; never hosts or URLs.
 */
import type { ControlledCrawl, CrawlSummary } from "../../agent/index.ts";
import { version } from "../../base/package/index.ts";
import { addCluster, type ClusterFigures } from "./cluster-metrics.ts";
import { by, MetricsPage, type Sample } from "./metrics-page.ts";
import { type ProcessUse, processUse } from "./process-metrics.ts";

type Units = Awaited<ReturnType<ControlledCrawl["units"]["list"]>>;

export interface MetricsContext {
  readonly use?: ProcessUse;
  readonly cluster?: ClusterFigures | null;
}

const STATES = ["running", "paused", "finished", "stopped"] as const;

/** Servers invent statuses; those of the standards have a label of their own. */
const KNOWN_STATUS = /^(?:20[0-8]|226|30[0-8]|4[0-2]\d|431|451|50\d|51[01])$/;

/** `summary` and `units` are of this process; `cluster` is null for a crawl that is alone. */
export function metricsText(
  summary: CrawlSummary,
  units: Units,
  { use = processUse(), cluster = null }: MetricsContext = {},
): string {
  const page = new MetricsPage();
  addCrawl(page, summary);
  addByLabel(page, summary);
  addUnits(page, units);
  if (cluster !== null) addCluster(page, cluster);
  page.counter("trobar_process_cpu_seconds", "CPU time used.", use.cpuSeconds);
  page.counter("trobar_loop_busy_seconds", "Time the event loop was busy.", use.loopBusySeconds);
  page.gauge("trobar_process_resident_bytes", "Resident memory.", use.residentBytes);
  page.gauge("trobar_process_heap_bytes", "Used heap of the main thread.", use.heapBytes);
  return page.text;
}

function addCrawl(page: MetricsPage, summary: CrawlSummary): void {
  page.gauges("trobar_info", "The version that runs.", [[{ version: version() }, 1]]);
  page.gauges(
    "trobar_state",
    "1 for the state that the crawl is in.",
    STATES.map((state) => [{ state }, summary.state === state ? 1 : 0]),
  );
  page.counter("trobar_pages", "Pages fetched.", summary.pages);
  page.counter("trobar_fetches", "Requests for pages, with retries.", summary.fetches);
  page.counter("trobar_received_bytes", "Bytes of bodies received.", summary.bytes);
  page.counter("trobar_urls", "Distinct URLs found.", summary.urls);
  page.counter("trobar_duplicates", "Pages equal to another.", summary.duplicates);
  page.counter("trobar_near_duplicates", "Pages much like another.", summary.nearDuplicates);
  page.counter("trobar_truncated", "Answers that are not whole.", summary.truncated);
  page.counter("trobar_requisites", "Requisites of pages fetched.", summary.requisites);
  page.counter("trobar_running_seconds", "Time the crawl ran, without pauses.", summary.seconds);
  page.gauge("trobar_queued_urls", "URLs that wait.", summary.queued);
  page.gauge("trobar_hosts", "Hosts met.", summary.hosts);
  if (summary.politeRate !== null) {
    const help = "Pages a second that politeness allows now.";
    page.gauge("trobar_polite_pages_per_second", help, summary.politeRate);
  }
}

function addByLabel(page: MetricsPage, summary: CrawlSummary): void {
  const responses = new Map<string, Sample>();
  for (const [status, count] of Object.entries(summary.status)) {
    const code = KNOWN_STATUS.test(status) ? status : "other";
    const kind = /^[1-5]\d\d$/.test(status) ? `${status[0]}xx` : "other";
    const before = responses.get(`${kind} ${code}`)?.[1] ?? 0;
    responses.set(`${kind} ${code}`, [{ class: kind, code }, before + count]);
  }
  page.counters("trobar_responses", "Final answers, by status.", [...responses.values()]);
  page.counters("trobar_errors", "Failures, by code.", by("code", summary.errors));
  page.counters("trobar_refused_urls", "URLs not taken, by reason.", by("reason", summary.refused));
  page.gauges("trobar_idle", "Why nothing is fetched, by reason.", by("reason", summary.idle));
  page.gauges("trobar_memory_bytes", "Memory held, by owner.", by("owner", summary.memory));
}

function addUnits(page: MetricsPage, { units, connectors }: Units): void {
  const components = units.filter(({ kind }) => kind !== "provider");
  const each = (read: (unit: Units["units"][number]) => number): Sample[] =>
    components.map((unit) => [{ unit: unit.id }, read(unit)]);
  const count = (name: string) => each(({ metrics }) => Number(metrics[name] ?? 0));
  page.counters("trobar_unit_taken_items", "Items that a unit took.", count("taken"));
  page.gauges(
    "trobar_unit_items",
    "Items in a unit.",
    each(({ inFlight }) => inFlight),
  );
  page.gauges("trobar_unit_waiting_items", "Items that wait to leave a unit.", [
    ...each(({ waitingOut }) => waitingOut),
  ]);
  page.gauges(
    "trobar_unit_instances",
    "Instances of a unit.",
    each(({ instances }) => instances),
  );
  page.gauges(
    "trobar_connector_items",
    "Items in a connector.",
    connectors.map(({ id, length }) => [{ connector: id }, length]),
  );
}
