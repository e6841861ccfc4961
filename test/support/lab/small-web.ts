/** Small synthetic webs for tests: the named profiles, cut down to what a test can look at. */
import {
  changedProfile,
  GeneratedWeb,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
  type WebResponse,
} from "../../../src/lab/simweb/index.ts";

export function smallWeb(
  name: ProfileName,
  seed: string | number,
  changes: ProfileChanges = {},
): GeneratedWeb {
  const small = changedProfile(PROFILES[name], {
    hosts: { count: 14, pages: 400 },
    pages: { medianBytes: 1500, bytesMax: 20_000 },
    traps: { floodLinks: 300 },
  });
  return new GeneratedWeb({ profile: changedProfile(small, changes), seed });
}

/** What a web answers to a plain request for a URL. */
export function answerTo(web: GeneratedWeb, url: string, earlierTries = 0): WebResponse {
  const { hostname, pathname, search } = new URL(url);
  const target = pathname + search;
  return web.respond({ host: hostname, method: "GET", target, headers: [], earlierTries });
}
