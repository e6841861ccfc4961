import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchableUrl, HostName, Origin } from "../../../formats/url/index.ts";
import type { PageErrand, RobotsErrand } from "../../../frontier/front/index.ts";
import { SlottedVisits } from "./slotted-visits.ts";

function page(path: string, address: string | null = "192.0.2.1"): PageErrand {
  const ticket = {
    ...{ url: `http://a.example/${path}` as FetchableUrl, high: 1, low: 2, depth: 0 },
    ...{ via: null, redirects: 0, priority: 0 },
  };
  return { kind: "page", ticket, host: "a.example" as HostName, address, attempt: 0 };
}

const ROBOTS: RobotsErrand = {
  ...{ kind: "robots", origin: "http://a.example" as Origin, host: "a.example." as HostName },
  ...{ url: "http://a.example/robots.txt" as FetchableUrl, address: "192.0.2.1", redirects: 0 },
};

/** Visits, and all that happens to them; slots are given by hand. */
class Rig {
  readonly told: string[] = [];
  readonly elsewhere = new Set<string>();
  readonly mayNotVisit = new Set<string>();
  hasSlots = true;
  hasTokens = true;
  readonly grants: (() => void)[] = [];
  readonly ends = new Map<string, () => void>();
  readonly visits = new SlottedVisits({
    frontier: () => ({
      pageFetched: ({ ticket }, { kind }) => {
        this.told.push(`${ticket.url} ${kind}`);
        return { kind: "final" };
      },
      robotsFetched: ({ url }, { kind }) => {
        this.told.push(`${url} ${kind}`);
        return { kind: "final" };
      },
      handovers: { isElsewhere: ({ url }) => this.elsewhere.has(url) },
    }),
    enter: ({ address, isPage }, entered) => {
      if (address === null || !this.hasSlots) {
        entered(this.hasTokens || !isPage);
        return () => undefined;
      }
      this.told.push(`asks for ${address}`);
      this.grants.push(() => entered(this.hasTokens || !isPage));
      return () => this.told.push(`gives ${address} back`);
    },
    mayVisit: (host) => !this.mayNotVisit.has(host),
  });

  begin(errand: PageErrand | RobotsErrand): ReturnType<SlottedVisits["begin"]> {
    const name = errand.kind === "page" ? errand.ticket.url : errand.url;
    return this.visits.begin(
      errand,
      (over) => {
        this.told.push(`${name} begins`);
        this.ends.set(name, over);
        return { cancel: () => this.told.push(`${name} is cancelled`), receivedBytes: 7 };
      },
      () => this.told.push(`${name} is over`),
    );
  }
}

const URL_1 = "http://a.example/1";

test("A1: a visit begins with its slot, which it gives back at its end", () => {
  const rig = new Rig();
  const visit = rig.begin(page("1"));
  assert.deepEqual([rig.visits.waiting, visit.receivedBytes], [1, 0]);
  rig.grants[0]?.();
  assert.deepEqual([rig.visits.waiting, visit.receivedBytes], [0, 7]);
  rig.mayNotVisit.add("a.example");
  rig.visits.recheck();
  rig.ends.get(URL_1)?.();
  assert.deepEqual(rig.told, [
    "asks for 192.0.2.1",
    `${URL_1} begins`,
    "gives 192.0.2.1 back",
    `${URL_1} is over`,
  ]);
});

test("where addresses need not rest, or none is known, nothing is waited for", () => {
  const rig = new Rig();
  rig.begin(page("1", null));
  rig.hasSlots = false;
  rig.begin(ROBOTS);
  assert.deepEqual(rig.told, [`${URL_1} begins`, "http://a.example/robots.txt begins"]);
});

test("M1: a page without a token is not begun, whether it waits for its slot or not", () => {
  const rig = new Rig();
  rig.hasTokens = false;
  rig.begin(page("1"));
  rig.begin(page("2", null));
  rig.begin(ROBOTS);
  for (const grant of rig.grants) grant();
  assert.deepEqual(rig.told, [
    "asks for 192.0.2.1",
    "http://a.example/2 cancelled",
    "http://a.example/2 is over",
    "asks for 192.0.2.1",
    `${URL_1} cancelled`,
    "gives 192.0.2.1 back",
    `${URL_1} is over`,
    "http://a.example/robots.txt begins",
  ]);
});

test("U2: a visit that waits is given up when its host leaves", () => {
  const rig = new Rig();
  rig.begin(page("1"));
  rig.begin(ROBOTS);
  rig.visits.recheck();
  assert.equal(rig.visits.waiting, 2, "nothing has changed for them");
  rig.mayNotVisit.add("a.example");
  rig.told.splice(0);
  rig.visits.recheck();
  assert.deepEqual(rig.told, [
    `${URL_1} cancelled`,
    "gives 192.0.2.1 back",
    `${URL_1} is over`,
    "http://a.example/robots.txt cancelled",
    "gives 192.0.2.1 back",
    "http://a.example/robots.txt is over",
  ]);
  assert.equal(rig.visits.waiting, 0);
});

test("a slot that comes when the visit must not begin is given back; a page that is elsewhere is not fetched", () => {
  const rig = new Rig();
  rig.begin(page("1"));
  rig.elsewhere.add(URL_1);
  rig.told.splice(0);
  rig.grants[0]?.();
  assert.deepEqual(rig.told, [`${URL_1} cancelled`, "gives 192.0.2.1 back", `${URL_1} is over`]);
});

test("who gives up visits ends those that wait at once, and cancels those that have begun", () => {
  const rig = new Rig();
  const waiting = rig.begin(page("1"));
  const begun = rig.begin(page("2"));
  rig.grants[1]?.();
  rig.told.splice(0);
  waiting.cancel();
  begun.cancel();
  assert.deepEqual(rig.told, [
    `${URL_1} cancelled`,
    "gives 192.0.2.1 back",
    `${URL_1} is over`,
    "http://a.example/2 is cancelled",
  ]);
});

test("a host is free when every visit of it is over, and what it led to is logged", () => {
  const rig = new Rig();
  const free = (): void => void rig.told.push("free");
  rig.visits.whenFree("a.example", free);
  rig.begin(page("1"));
  rig.begin(ROBOTS);
  rig.told.splice(0);
  rig.visits.whenFree("a.example", free);
  rig.visits.whenFree("b.example", () => rig.told.push("b is free"));
  rig.grants[0]?.();
  rig.ends.get(URL_1)?.();
  rig.mayNotVisit.add("a.example");
  rig.visits.recheck();
  assert.deepEqual(rig.told, [
    "b is free",
    `${URL_1} begins`,
    "gives 192.0.2.1 back",
    `${URL_1} is over`,
    "http://a.example/robots.txt cancelled",
    "gives 192.0.2.1 back",
    "http://a.example/robots.txt is over",
    "free",
  ]);
});
