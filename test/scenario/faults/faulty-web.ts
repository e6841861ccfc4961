/** The web on which agents have faults: small, sound, with links across hosts. How it is crawled, and judged. */
import {
  type CrawlDescription,
  changedProfile,
  PROFILES,
  type ProfileChanges,
} from "../../../src/lab/simweb/index.ts";
import type { JudgedWebFacts, WebPlan } from "./judged-web.ts";

const ADDRESS_DELAY_MS = 10;

/** Several hosts have one address, so agents need turns there. */
const CHANGES: ProfileChanges = {
  hosts: { count: 16, pages: 90, pagesMax: 12, exponent: 0.4, perAddress: 2 },
  pages: { medianBytes: 1500, bytesMax: 20_000 },
  links: { foreign: 0.3 },
  robots: { rules: 0.25, missing: 0.2 },
  directives: { noarchive: 0.03 },
  redirects: { near: 0.04, away: 0.04 },
  errors: { missing: 0.04 },
};

export const FAULTY_WEB: Omit<WebPlan, "seed"> = {
  profile: changedProfile(PROFILES.plain, CHANGES),
  crawl: { scope: "any" },
};

/** How it is to be visited. */
export function mannersOf(hostDelayMs: number): CrawlDescription {
  return { hostDelayMs, addressDelayMs: ADDRESS_DELAY_MS };
}

export function crawlFlags({ dnsPort }: JudgedWebFacts, hostDelayMs: number): readonly string[] {
  const settings = {
    "dns.servers": `['127.0.0.1:${dnsPort}']`,
    // Nothing stalls here: to reach a limit would say something about the machine, not the crawl.
    "dns.timeout": "30s",
    "fetch.connectTimeout": "20s",
    "fetch.headerTimeout": "20s",
    "fetch.idleTimeout": "20s",
    "frontier.memory": "16Mi",
    "parse.language": "false",
  };
  return [
    ...["--allow-private", "--lanes", "1", "--scope", "any", "--min-free-disk", "0"],
    ...["--delay", `${hostDelayMs}ms`, "--ip-delay", `${ADDRESS_DELAY_MS}ms`],
    ...Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]),
  ];
}
