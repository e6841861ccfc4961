import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { smallWeb } from "../../../../test/support/lab/small-web.ts";
import { flatScalar } from "../../../rules/settings/index.ts";
import { type GeneratedWeb, PROFILE_SCHEMA, PROFILES, type ProfileChanges } from "../index.ts";

/** The keys of what `plain` does not have: shares of 0. */
const FEATURES: readonly string[] = PROFILE_SCHEMA.keys
  .filter(({ key }) => key.type.shape.kind === "text" && key.default === 0)
  .map(({ path }) => path);

test("there are a hundred features, and a hostile web has every one of them", () => {
  assert.ok(FEATURES.length > 95, String(FEATURES.length));
  const hostile = PROFILE_SCHEMA.values(PROFILES.hostile);
  assert.deepEqual(
    FEATURES.filter((path) => hostile.get(path) === 0),
    [],
  );
});

test("a realistic web has every feature that real ones have", () => {
  const realistic = PROFILE_SCHEMA.values(PROFILES.realistic);
  assert.deepEqual(
    FEATURES.filter((path) => realistic.get(path) === 0),
    ["dns.truncated", "encodings.bombs", "traps.floods", "oddities.endlessBody", "oddities.http09"],
  );
});

test("every profile reads back as it is written, so every number is within its range", () => {
  for (const [name, profile] of Object.entries(PROFILES)) {
    for (const [path, value] of PROFILE_SCHEMA.values(profile)) {
      const type = PROFILE_SCHEMA.find(path)?.key.type;
      assert.equal(read(path, type?.write(value) ?? ""), value, `${name} ${path}`);
    }
  }
});

test("a value that is not a number, or out of range, is refused with the reason", () => {
  for (const text of ["", ".", "1.5", "-0.1", "abc", "1e-3", "0x1", "1,5", "NaN"]) {
    assert.match(
      String(read("traps.calendars", text)),
      /is not a number|is too (?:large|small)/,
      text,
    );
  }
  assert.equal(read("traps.calendars", ".25"), 0.25);
  assert.equal(read("hosts.exponent", "1.2"), 1.2);
});

/** The value, or the problem with it. */
function read(path: string, text: string): unknown {
  const given = flatScalar(text, { kind: "default" });
  let problem = "";
  const value = PROFILE_SCHEMA.find(path)?.key.type.read(given, (_given, found) => {
    problem = found;
  });
  return value ?? problem;
}

const PLAIN = digestOf(smallWeb("plain", "features"));

for (const path of FEATURES) {
  test(`the feature ${path} makes a difference when it is switched on alone`, () => {
    const [group = "", name = ""] = path.split(".");
    const changes: ProfileChanges = { [group]: { [name]: 1 } };
    assert.notEqual(digestOf(smallWeb("plain", "features", changes)), PLAIN);
  });
}

/** A digest of all that can be seen of a web: hosts, robots.txt, and every URL. */
function digestOf(web: GeneratedWeb): string {
  const hash = createHash("sha1");
  const headers = [["Accept-Encoding", "gzip, br"] as const];
  for (let host = 0; host < web.hostCount; host += 1) {
    const found = web.hostAt(host);
    const targets = ["/robots.txt", "/sitemap.xml"];
    for (let slot = 0; slot < web.model.hosts.size(host); slot += 1) {
      targets.push(web.model.paths.target(web.model.hosts.contentOf(host), slot));
    }
    hash.update(JSON.stringify([found, targets]));
    for (const target of targets) {
      const request = { host: found.name, method: "GET", target, headers, earlierTries: 0 };
      const { body, ...head } = web.respond(request);
      hash.update(JSON.stringify(head)).update(body);
    }
  }
  return hash.digest("hex");
}
