/** What is served for each role, looked up in a hostile web that is large enough to have all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, smallWeb } from "../../../../test/support/lab/small-web.ts";
import { ROLES, type Role, roleFacts } from "../model/role.ts";
import type { WebResponse } from "./synthetic-web.ts";

const web = smallWeb("hostile", "roles", { hosts: { count: 6, pages: 8000, slow: 0, dead: 0 } });
const { hosts, slots } = web.model;
const found = new Map<Role, string[]>();
for (let host = 0; host < hosts.count; host += 1) {
  for (let slot = 0; slot < hosts.size(host); slot += 1) {
    const role = slots.role(hosts.contentOf(host), slot);
    if (hosts.fate(host) === "sound") {
      found.set(role, [...(found.get(role) ?? []), web.model.url(host, slot)]);
    }
  }
}

/** Every answer for a role, to a client that has tried this often before. */
function answers(role: Role, earlierTries = 9): readonly WebResponse[] {
  return (found.get(role) ?? []).slice(0, 60).map((url) => answerTo(web, url, earlierTries));
}

test("a hostile web has every role", () => {
  assert.deepEqual(
    ROLES.filter((role) => (found.get(role) ?? []).length === 0),
    [],
  );
});

test("pages are HTML, with an oddity on the wire where the role says so", () => {
  for (const role of ROLES.filter((one) => roleFacts(one).hasLinks)) {
    for (const { status, body, oddity } of answers(role)) {
      assert.deepEqual([status, oddity], [200, roleFacts(role).oddity ?? null], role);
      assert.ok(body.length > 100);
    }
  }
});

const STATUSES: readonly (readonly [Role, readonly number[]])[] = [
  ["missing", [404]],
  ["gone", [410]],
  ["forbidden", [401, 403]],
  ["broken", [500]],
  ["throttled-for-good", [429, 503]],
  ["empty", [200, 204]],
  ["image", [200]],
  ["binary", [200]],
  ["text", [200]],
  ["redirect-near", [301, 302, 303, 307, 308]],
  ["redirect-away", [301, 302, 303, 307, 308]],
  ["redirect-chain", [301, 302, 303, 307, 308]],
  ["redirect-odd", [301, 302, 303, 307, 308]],
];

for (const [role, statuses] of STATUSES) {
  test(`a URL of the role ${role} answers ${statuses.join(", ")}`, () => {
    const seen = new Set(answers(role).map(({ status }) => status));
    assert.deepEqual([...seen].sort(), [...statuses]);
  });
}

test("errors that pass fail at first, and then the page is there", () => {
  for (const { status, oddity } of answers("throttled", 0)) {
    assert.ok(oddity === null && (status === 429 || status === 503));
  }
  for (const { oddity } of answers("reset", 0)) assert.equal(oddity, "reset-before-head");
  for (const role of ["throttled", "reset"] as const) {
    for (const { status, oddity } of answers(role)) assert.deepEqual([status, oddity], [200, null]);
  }
});

test("429 and 503 come with Retry-After in all its forms, and without", () => {
  const values = [...answers("throttled", 0), ...answers("throttled-for-good")].map(
    ({ headers }) => headers.find(([name]) => name === "Retry-After")?.[1],
  );
  for (const value of ["0", "1", "soon", undefined]) assert.ok(values.includes(value), value);
  assert.ok(values.some((value) => value !== undefined && !Number.isNaN(Date.parse(value))));
});

test("a redirect leads to a page that is there, in a few steps", () => {
  for (const role of ["redirect-near", "redirect-away", "redirect-chain"] as const) {
    for (const first of (found.get(role) ?? []).slice(0, 60)) {
      let url = first;
      let response = answerTo(web, url);
      for (let hops = 0; hops < 5 && response.status !== 200; hops += 1) {
        url = new URL(locationOf(response), url).href;
        response = answerTo(web, url);
      }
      assert.equal(response.status, 200, first);
    }
  }
});

test("a circle of redirects comes back, a long chain takes fifteen", () => {
  const [loop = "", long = ""] = [found.get("redirect-loop")?.[0], found.get("redirect-long")?.[0]];
  const seen = new Set<string>();
  let url = loop;
  for (; !seen.has(url); url = new URL(locationOf(answerTo(web, url)), url).href) seen.add(url);
  assert.equal(url, loop);
  url = long;
  let hops = 0;
  for (; answerTo(web, url).status !== 200; hops += 1) {
    url = new URL(locationOf(answerTo(web, url)), url).href;
  }
  assert.equal(hops, 15);
});

test("a redirect to nowhere names nothing that could be fetched", () => {
  for (const response of answers("redirect-odd")) {
    const location = response.headers.find(([name]) => name === "Location")?.[1];
    const url = location === undefined ? null : URL.parse(location, "http://x.test/");
    assert.ok(url?.protocol !== "http:", location);
  }
});

test("files begin as their type says", () => {
  for (const { body, headers } of [...answers("image"), ...answers("binary")]) {
    const start = Buffer.from(body.subarray(0, 8)).toString("latin1");
    const type = headers.find(([name]) => name === "Content-Type")?.[1];
    const mark = { "image/png": "\x89PNG", "application/pdf": "%PDF", "application/zip": "PK\x03" };
    assert.ok(start.startsWith(mark[type as keyof typeof mark]), `${type}: ${start}`);
  }
});

test("a flood has as many links as the profile says", () => {
  for (const { body } of answers("flood")) {
    // Some pages are in UTF-16.
    const text = Buffer.from(body).toString("latin1").replaceAll("\0", "");
    const links = text.match(/<a[\s/]/gi) ?? [];
    assert.ok(links.length >= web.model.profile.traps.floodLinks);
  }
});

function locationOf({ headers }: WebResponse): string {
  return headers.find(([name]) => name === "Location")?.[1] ?? "";
}
