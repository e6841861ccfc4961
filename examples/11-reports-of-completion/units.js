/**
 * Two components with connectors in both directions: a selector hands out jobs, and a downloader reports
 * when one is done. The selector hands out the next URL of a host only after the report of the one
 * before, so no host is asked twice at once, however many downloaders there are.
 */
import { codec, filter, general, itemType, key, value } from "trobar/units";

const Job = itemType("example/job", codec.struct({ host: codec.text, url: codec.text }));
const Report = itemType(
  "example/report",
  codec.struct({ host: codec.text, url: codec.text, bytes: codec.count }),
);

export const selector = general({
  name: "selector",
  inputs: { reports: Report },
  outputs: { jobs: Job },
  settings: {
    urls: key(value.list(value.text({ form: "a URL", examples: ["http://a.test/"] })), {
      default: [],
      meaning: "What is to be downloaded.",
    }),
  },
  create(unit) {
    /** URLs that wait, by host. */
    const waiting = Map.groupBy(unit.settings.urls, (url) => new URL(url).hostname);
    const handOut = (host) => {
      const url = waiting.get(host)?.shift();
      if (url === undefined) waiting.delete(host);
      else unit.emit.jobs({ host, url });
      // A circle never runs dry by itself: who knows that all is done says so.
      if (waiting.size === 0) unit.finish();
    };
    for (const host of [...waiting.keys()]) handOut(host);
    return {
      take: {
        reports({ host, url, bytes }) {
          process.stdout.write(`${url} ${bytes}\n`);
          handOut(host);
        },
      },
    };
  },
});

/** Would ask a server; its answer here is as long as the URL. */
export const downloader = filter({
  name: "downloader",
  input: Job,
  output: Report,
  inFlightMax: 10,
  create(unit) {
    const busy = new Set();
    return async ({ host, url }, emit) => {
      if (busy.has(host)) throw new Error(`${host} is being asked already`);
      busy.add(host);
      await new Promise((resolve) => unit.clock.after(1, resolve));
      busy.delete(host);
      emit({ host, url, bytes: url.length });
    };
  },
});
