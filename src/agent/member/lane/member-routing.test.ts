import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { MemberRouting } from "./member-routing.ts";

/** Routes links and says where each went. */
function rig(): {
  readonly routing: MemberRouting;
  readonly went: string[];
  readonly state: { own: string[]; here: string[]; isBusy: boolean; isWaiting: boolean };
  readonly route: (url: string) => void;
} {
  const went: string[] = [];
  const state = { own: ["a.example"], here: ["a.example"], isBusy: false, isWaiting: false };
  const routing = new MemberRouting({
    isOwn: (host) => state.own.includes(host),
    handovers: { isHere: (host) => state.here.includes(host) },
    holdings: {
      get isBusy(): boolean {
        return state.isBusy;
      },
      take: ({ host, depth }) => went.push(`in line: ${host} ${depth}`),
    },
    foreign: {
      get isWaiting(): boolean {
        return state.isWaiting;
      },
      offer: ({ url }) => went.push(`foreign: ${url}`),
    },
  });
  const route = (url: string): void => {
    const ticket: Ticket = {
      ...{ url: url as FetchableUrl, high: 1, low: 2, depth: 3, via: null, redirects: 0 },
      priority: 0,
    };
    if (!routing.tryRoute(ticket)) went.push(`own: ${url}`);
  };
  return { routing, went, state, route };
}

test("links go to the frontier, in line behind what was asked, or to the agent that has the host", () => {
  const { went, state, route } = rig();
  route("http://a.example/1");
  route("http://b.example/1");
  state.own.push("b.example");
  route("http://b.example/2");
  state.here.push("b.example");
  state.isBusy = true;
  route("http://b.example./3");
  state.isBusy = false;
  route("http://b.example/4");
  assert.deepEqual(went, [
    "own: http://a.example/1",
    "foreign: http://b.example/1",
    "in line: b.example 3",
    "in line: b.example 3",
    "own: http://b.example/4",
  ]);
});

test("while foreign links wait for their sieve nothing more should be offered", () => {
  const { routing, state } = rig();
  assert.equal(routing.isFull, false);
  state.isWaiting = true;
  assert.equal(routing.isFull, true);
});
