/** Units such as users write, for tests: they keep what they saw for the test to look at. */
import { key, value } from "../../rules/settings/index.ts";
import { itemType } from "../../topology/items/index.ts";
import {
  type ComponentDefinition,
  filter,
  type ProviderDefinition,
  provider,
  sink,
} from "../../topology/unit/index.ts";
import { processor } from "../units/processor.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import type { Store } from "../visit/waiting-store.ts";
import { ROLES, type SeenTest, Visit } from "./roles.ts";

export const SEEN: string[] = [];

/** Sees every page, and takes a second for each. */
export const slow: ComponentDefinition = processor({
  name: "slow",
  text: true,
  create: (unit) => async (page) => {
    await new Promise<void>((resolve) => void unit.clock.after(1000, resolve));
    const body = await page.body();
    SEEN.push(`${page.url} ${page.status} ${page.parsed?.text.trim()} ${body?.length}`);
  },
});

/** Never comes to an end with some pages, and asks for their bodies after some seconds. */
export const endless: ComponentDefinition = processor({
  name: "endless",
  create: (unit) => (page) => {
    if (!page.url.endsWith("/x")) return;
    unit.clock.after(4000, () => void page.body().then((body) => SEEN.push(String(body))));
    return new Promise(() => {});
  },
});

/** Fails on some pages, beside the line. */
export const failing: ComponentDefinition = processor({
  name: "failing",
  create: () => (page) => {
    if (page.url.endsWith("/x")) throw new Error("planted beside the line");
    SEEN.push(page.url);
  },
});

/** Fails on some pages, in the line. */
export const broken: ComponentDefinition = filter({
  name: "broken",
  input: Visit,
  output: Visit,
  create: () => (visit, emit) => {
    if (visit.errand.ticket.url.endsWith("/x")) throw new Error("planted in the line");
    emit(visit);
  },
});

/** The type of visits as users know it, by its name. */
const Named = itemType<PageVisit>("visit");

/** Drops some pages, in the line. */
export const dropping: ComponentDefinition = filter({
  ...{ name: "dropping", input: Named, output: Named },
  settings: {
    end: key(value.text({ form: "the end of a URL", examples: ["/x"] }), {
      ...{ default: "/x", meaning: "What the URLs that are dropped end with." },
    }),
  },
  create: (unit) => (visit, emit) => {
    if (!visit.errand.ticket.url.endsWith(unit.settings.end)) emit(visit);
  },
});

/** Takes visits from a tee, and knows nothing of their ends. */
export const looking: ComponentDefinition = sink({
  ...{ name: "looking", input: Named },
  create: () => (visit) => void SEEN.push(visit.errand.ticket.url),
});

/** How often each seen test was asked, and how often it knew the answer. */
export const MET: Record<string, [asked: number, known: number]> = {};

function seenTest(name: string, create: () => SeenTest): ProviderDefinition {
  return provider({
    name,
    provides: ROLES.seen,
    create: () => {
      const inner = create();
      const met: [number, number] = [0, 0];
      MET[name] = met;
      const meet: SeenTest["meet"] = (...url) => {
        const isKnown = inner.meet(...url);
        met[0] += 1;
        if (isKnown) met[1] += 1;
        return isKnown;
      };
      return { service: { meet } };
    },
  });
}

export const exact: ProviderDefinition = seenTest("exact", () => {
  const depths = new Map<string, number>();
  return {
    meet: (high, low, depth) => {
      const isKnown = (depths.get(`${high} ${low}`) ?? Number.POSITIVE_INFINITY) <= depth;
      if (!isKnown) depths.set(`${high} ${low}`, depth);
      return isKnown;
    },
  };
});

/** Three bits for each URL at its depth, among a million. */
export const bloom: ProviderDefinition = seenTest("bloom", () => {
  const bits = new Uint8Array(2 ** 20);
  return {
    meet: (high, low, depth) => {
      const places = [high + depth, low, high ^ low].map((half) => (half + depth * 7) & 0xfffff);
      const isKnown = places.every((place) => bits[place] === 1);
      for (const place of places) bits[place] = 1;
      return isKnown;
    },
  };
});

export const none: ProviderDefinition = seenTest("none", () => ({ meet: () => false }));

/** Fails once, on the first link of a page. */
export const faulty: ProviderDefinition = seenTest("faulty", () => {
  let left = 2;
  return {
    meet: () => {
      left -= 1;
      if (left === 0) throw new Error("planted in the seen test");
      return false;
    },
  };
});

/** What the store of a user was given, as lines of JSON. */
export const STORED: string[] = [];

/** A store without archive and crawl log. */
export const jsonLines: ProviderDefinition = provider({
  name: "json-lines",
  provides: ROLES.store,
  create: (unit) => {
    const known = new Map<string, string>();
    const tryStore: Store["tryStore"] = ({ url, response, body, sha1 }) => {
      const digest = Buffer.from(sha1 ?? []).toString("hex");
      const duplicateOf = known.get(digest) ?? null;
      if (sha1 !== null && duplicateOf === null) known.set(digest, url);
      STORED.push(JSON.stringify({ url, status: response.status, bytes: body.lengthBytes }));
      return { place: null, digest: `sha1:${digest}`, duplicateOf };
    };
    const service: Store = {
      ...{ hasRoom: true, trouble: null, tryStore },
      whenRoom: (callback) => void unit.clock.after(0, callback),
      originalOf: (sha1) => known.get(Buffer.from(sha1).toString("hex")) ?? null,
      storeSpooled: (page, done) => done(null, tryStore(page) ?? (undefined as never)),
      tryLog: ({ url, result }) => STORED.push(JSON.stringify({ url, result })) > 0,
      commit: (done) => done(null),
      flush: (done) => done(null),
    };
    return { service, close: () => void STORED.push("closed") };
  },
});

/** Its `create` gives nothing. */
export const idle: ComponentDefinition = processor({
  name: "idle",
  create: () => undefined as never,
});
