import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { smallWeb } from "../../../../test/support/lab/small-web.ts";
import { type GeneratedWeb, Truth, type TruthRules } from "../index.ts";
import type { Role } from "../model/role.ts";

function truthOf(web: GeneratedWeb, rules: Partial<TruthRules> = {}): Truth {
  return new Truth(web, { seeds: web.seeds(), scope: "any", ...rules });
}

/** URLs of this role on hosts with nothing wrong. */
function urlsOf(web: GeneratedWeb, role: Role): string[] {
  const { hosts, slots } = web.model;
  const urls: string[] = [];
  for (let host = 0; host < hosts.count; host += 1) {
    if (hosts.fate(host) !== "sound" || hosts.robotsKind(host) !== "open") continue;
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      if (slots.role(hosts.contentOf(host), slot) === role) urls.push(web.model.url(host, slot));
    }
  }
  assert.ok(urls.length > 0, `there are URLs of the role ${role}`);
  return urls;
}

describe("on a plain web", () => {
  const web = smallWeb("plain", 1);
  const truth = truthOf(web);

  test("every page must be fetched", () => {
    assert.equal(truth.dueCount, web.model.hosts.pageCount);
    const keys = new Set(truth.dueKeys());
    for (let host = 0; host < web.hostCount; host += 1) {
      for (let slot = 0; slot < web.model.hosts.size(host); slot += 1) {
        assert.ok(keys.has(web.model.url(host, slot)));
      }
    }
  });

  test("the front page of the seed is at depth 0, what it introduces at depth 1", () => {
    const [seed = ""] = web.seeds();
    assert.equal(truth.depthOf(seed), 0);
    assert.equal(truth.depthOf(web.model.url(0, 1)), 1);
    assert.equal(truth.depthOf(web.model.url(1, 0)), 1);
  });

  test("links within what is due add up to the in-links of all pages", () => {
    const sums = { links: 0, inLinks: 0 };
    const seen = new Set<string>();
    for (const { from, to } of truth.links()) {
      if (!seen.has(`${from} ${to}`)) sums.links += 1;
      seen.add(`${from} ${to}`);
    }
    for (const key of truth.dueKeys()) sums.inLinks += truth.inLinksOf(key);
    // In-links also count a second link on a page, and links of a page to itself.
    assert.ok(sums.links > 1000 && sums.inLinks > sums.links && sums.inLinks < 2 * sums.links);
  });

  test("what the web does not have is unknown", () => {
    for (const target of ["/nothing", "/ghost/x-1", "/step-1", "/d/x-99999.html"]) {
      const key = truth.keyOf(web.hostAt(0).name, target);
      assert.deepEqual(truth.standingOf(key), { kind: "unknown" }, target);
      assert.equal(truth.expectationOf(key), null);
      assert.equal(truth.depthOf(key), null);
    }
    assert.equal(truth.standingOf("not a URL").kind, "unknown");
    assert.equal(truth.standingOf("http://elsewhere.test/").kind, "unknown");
    assert.equal(truth.standingOf(`http://${web.hostAt(0).name}:81/`).kind, "unknown");
  });

  test("robots.txt is not a page", () => {
    const key = truth.keyOf(web.hostAt(0).name, "/robots.txt");
    assert.deepEqual(truth.standingOf(key), { kind: "robots" });
  });

  test("all spellings of a URL have one key", () => {
    const { hostname, pathname } = new URL(web.model.url(0, 3));
    const spelled = pathname.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    assert.equal(truth.keyOf(`${hostname}.`, spelled), web.model.url(0, 3));
  });
});

describe("limits", () => {
  test("with a limit on depth, due is what is within it", () => {
    const web = smallWeb("plain", 2);
    const all = truthOf(web);
    for (const depthMax of [0, 1, 2, 3]) {
      const truth = truthOf(web, { depthMax });
      for (const key of all.dueKeys()) {
        const isNear = (all.depthOf(key) ?? 99) <= depthMax;
        const standing = truth.standingOf(key);
        const expected = isNear
          ? { kind: "due", ending: "answered" }
          : { kind: "forbidden", reason: "depth" };
        assert.deepEqual(standing, expected);
      }
    }
  });

  test("what is outside the scope is forbidden as such", () => {
    const web = smallWeb("plain", 2);
    const truth = truthOf(web, { scope: "host" });
    assert.equal(truth.dueCount, web.model.hosts.size(0));
    const other = truth.standingOf(web.model.url(5, 0));
    assert.deepEqual(other, { kind: "forbidden", reason: "scope" });
  });

  test("a seed that redirects widens the scope to where it leads", () => {
    const web = smallWeb("plain", 3, { hosts: { aliases: 1 } });
    const [seed = ""] = web.seeds();
    assert.match(seed, /^http:\/\/(?!www\.)/);
    for (const scope of ["page", "prefix", "host", "domain"] as const) {
      const truth = truthOf(web, { scope });
      assert.equal(truth.standingOf(web.model.url(0, 0)).kind, "due", scope);
    }
    assert.equal(truthOf(web, { scope: "page" }).dueCount, 2);
  });

  test("a seed that names no page is asked for once", () => {
    const web = smallWeb("plain", 3);
    const seed = `http://${web.hostAt(0).name}/nothing`;
    const truth = new Truth(web, { seeds: [seed] });
    assert.deepEqual([...truth.dueKeys()], [seed]);
    assert.equal(truth.dueCount, 1);
    assert.equal(truth.standingOf(seed).kind, "due");
  });
});

describe("features", () => {
  test("pages that robots.txt closes are forbidden, and due when it is ignored", () => {
    const robots = { rules: 1, privatePages: 0.2, openedPages: 0.1 };
    const web = smallWeb("plain", 4, { robots });
    const { slots } = web.model;
    const [obeying, ignoring] = [truthOf(web), truthOf(web, { robots: "ignore" })];
    for (let slot = 0; slot < web.model.hosts.size(0); slot += 1) {
      const url = web.model.url(0, slot);
      const isClosed = slots.role(0, slot) === "private";
      assert.equal(obeying.standingOf(url).kind, isClosed ? "forbidden" : "due", url);
      assert.equal(ignoring.standingOf(url).kind, "due");
    }
  });

  test("a host that no crawl may enter is forbidden as a whole", () => {
    for (const kind of ["broken", "closed", "longDelay"] as const) {
      const web = smallWeb("plain", 4, { robots: { [kind]: 1 } });
      const truth = truthOf(web);
      assert.deepEqual(truth.standingOf(web.model.url(13, 0)), {
        kind: "forbidden",
        reason: "robots",
      });
      assert.equal(truth.standingOf(web.model.url(0, 0)).kind, "due", "needed hosts stay open");
    }
  });

  test("a hidden page is found by crawlers that ignore nofollow", () => {
    const web = smallWeb("plain", 4, { directives: { hidden: 0.2 }, links: { perPage: 0.1 } });
    const kinds = (truth: Truth) =>
      new Set(urlsOf(web, "hidden").map((url) => truth.standingOf(url).kind));
    assert.deepEqual(kinds(truthOf(web, { nofollow: "ignore" })), new Set(["due"]));
    const hidden = urlsOf(web, "hidden").map((url) => truthOf(web).standingOf(url));
    assert.ok(hidden.some((one) => one.kind === "forbidden" && one.reason === "nofollow"));
  });

  test("errors that pass are fetched as often as they fail and once more", () => {
    const web = smallWeb("plain", 4, { errors: { throttled: 0.2, reset: 0.2, tries: 3 } });
    const [patient, hasty] = [truthOf(web, { retries: 3 }), truthOf(web, { retries: 0 })];
    for (const role of ["throttled", "reset"] as const) {
      for (const url of urlsOf(web, role)) {
        const expected = patient.expectationOf(url);
        assert.deepEqual(expected?.outcomes, ["page"]);
        assert.ok(expected.fetchesMin >= 2 && expected.fetchesMin === expected.fetchesMax);
        const ending = role === "throttled" ? "error" : "failed";
        assert.deepEqual(hasty.expectationOf(url)?.outcomes, [ending]);
        assert.deepEqual(hasty.standingOf(url), { kind: "due", ending: "failing" });
      }
    }
  });

  test("copies are of one family, numbered and near copies of wider ones", () => {
    const web = smallWeb("plain", 4, { duplicates: { exact: 0.2, numbered: 0.2, near: 0.2 } });
    const truth = truthOf(web);
    const { slots } = web.model;
    for (let slot = 0; slot < web.model.hosts.size(0); slot += 1) {
      const original = slots.originalOf(0, slot);
      const [own, other] = [slot, original].map((one) =>
        truth.expectationOf(web.model.url(0, one)),
      );
      assert.equal(own?.nearFamily, other?.nearFamily);
      const role = slots.role(0, slot);
      const isCopy = role === "copy" || slot === original;
      assert.equal(own?.family === other?.family, isCopy);
      const isNumbered = isCopy || role === "numbered-copy";
      assert.equal(own?.numberedFamily === other?.numberedFamily, isNumbered);
    }
  });

  test("a chain of redirects is followed up to the limit and forbidden beyond", () => {
    const web = smallWeb("plain", 4, { redirects: { long: 0.1 } });
    const truth = truthOf(web, { redirectsMax: 3 });
    const [url = ""] = urlsOf(web, "redirect-long");
    const kinds = [1, 2, 3, 4, 5, 6].map((hop) => truth.standingOf(`${url}/step-${hop}`).kind);
    assert.deepEqual(kinds, ["due", "due", "due", "allowed", "forbidden", "forbidden"]);
  });

  test("pages of traps are allowed within the limits and never due", () => {
    const web = smallWeb("plain", 4, { traps: { calendars: 1, loops: 1, sessions: 1 } });
    const { name } = web.hostAt(0);
    const truth = truthOf(web, { depthMax: 5, pathSegmentsMax: 4 });
    const standing = (target: string) => truth.standingOf(truth.keyOf(name, target));
    assert.deepEqual(standing("/calendar?year=2006&month=6"), { kind: "allowed" });
    assert.equal(truth.depthOf(truth.keyOf(name, "/calendar?year=2006&month=6")), 1);
    assert.equal(truth.depthOf(truth.keyOf(name, "/calendar?year=2007&month=1")), 8);
    const deep = standing("/calendar?year=2007&month=1");
    assert.deepEqual(deep, { kind: "forbidden", reason: "depth" });
    assert.deepEqual(standing("/loop/in/out/in/"), { kind: "allowed" });
    assert.deepEqual(standing("/loop/in/out/in/out/"), { kind: "forbidden", reason: "limit" });
  });

  test("a host without an address has rows but no fetches", () => {
    const web = smallWeb("plain", 4, { dns: { missing: 1 } });
    const truth = truthOf(web);
    const url = web.model.url(13, 0);
    assert.deepEqual(truth.standingOf(url), { kind: "due", ending: "unreachable" });
    const { outcomes, fetchesMax } = truth.expectationOf(url) ?? {};
    assert.deepEqual([outcomes, fetchesMax], [["unresolved"], 0]);
  });

  test("a page that only a forgiving crawler finds may be fetched and need not be", () => {
    const web = smallWeb("plain", 4, { dns: { truncated: 1 } });
    const truth = truthOf(web);
    assert.deepEqual(truth.standingOf(web.model.url(13, 0)), { kind: "allowed" });
    assert.equal(truth.expectationOf(web.model.url(13, 0))?.due, "may");
  });

  test("pages that say noarchive are known", () => {
    const web = smallWeb("plain", 4, { directives: { noarchive: 0.5 } });
    const truth = truthOf(web);
    const pages = [...truth.expectations()];
    const share = pages.filter(({ isNoarchive }) => isNoarchive).length / pages.length;
    assert.ok(Math.abs(share - 0.5) < 0.1);
    for (const { key, isNoarchive, outcomes } of pages) {
      assert.equal(truth.mayBeLeftOut(key), isNoarchive);
      assert.equal(truth.isArchivable(key), !isNoarchive || outcomes.length > 1);
    }
  });
});
