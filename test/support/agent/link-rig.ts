/** A gate and a resolver for links, with the limits of the default configuration or others. */

import type { CrawlScope } from "../../../src/agent/links/crawl-scope.ts";
import { LinkGate } from "../../../src/agent/links/link-gate.ts";
import { LinkResolver } from "../../../src/formats/url/index.ts";
import type { Configuration } from "../../../src/rules/config/index.ts";
import { CRAWL_KEY } from "../parse/parse-rig.ts";
import { configured } from "../rules/configured.ts";

export function linkRig(
  scope: CrawlScope,
  { limits, url: rules, fetch, politeness }: Configuration = configured(),
): { readonly gate: LinkGate; readonly resolver: LinkResolver } {
  const { nofollow } = politeness;
  const gate = new LinkGate({
    ...{ scope, limits, nofollow, rules: { schedule: null }, roots: [], ports: fetch.ports },
  });
  const resolver = new LinkResolver({
    ...{ fingerprintKey: CRAWL_KEY, shards: 64, rules, urlLengthMax: limits.urlLength },
  });
  return { gate, resolver };
}
