/** What a running crawl has in memory about a URL, for its explanation. */
import { hostOf, parseUrl } from "../../formats/url/index.ts";
import { schemesOf } from "../../rules/config/index.ts";
import type { Crawl } from "../crawl/crawl.ts";
import type { RunningLook } from "./ask-crawl.ts";

export function lookAt(crawl: Crawl, text: string): RunningLook {
  const { frontier, links } = crawl.parts;
  const { scope } = links.offers.save();
  const outcome = parseUrl(text, { files: true, schemes: schemesOf(crawl.configuration) });
  const view = outcome.kind === "accepted" ? frontier.hosts.find(hostOf(outcome.url)) : null;
  const host =
    view === null
      ? null
      : {
          ...{ host: view.host, restsForMs: view.restsMs, waiting: view.queued, givenUp: view.end },
          waitsFor: view.state === "idle" ? null : view.state,
        };
  const { isExhausted } = frontier;
  return { scope, isExhausted, look: { place: null, host, robots: null } };
}
