import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ERRORS } from "../../base/errors/index.ts";
import { describeLocation, renderMistakes } from "../settings/index.ts";
import {
  CONFIGURATION_SCHEMA,
  type ConfigurationReading,
  type ConfigurationSources,
  readConfiguration,
} from "./index.ts";

test("without any source the configuration has the defaults of the contract", () => {
  const { configuration } = accepted({});
  assert.equal(configuration.limits.pagesPerHost, 100_000);
  assert.equal(configuration.politeness.hostDelay, 1000);
  assert.equal(configuration.politeness.ipDelay, 250);
  assert.equal(configuration.fetch.maxBody, 10 * 2 ** 20);
  assert.deepEqual(configuration.fetch.ports, [80, 443, 8080, 8443]);
  assert.equal(configuration.store.warcSize, 2 ** 30);
  assert.equal(configuration.cluster.giveUpAfter, 600_000);
  assert.equal(configuration.userAgent, null);
  assert.ok(Object.isFrozen(configuration) && Object.isFrozen(configuration.fetch.ports));
});

test("every default is legal by its own type", () => {
  for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
    const text = `${path}=${key.type.write(key.default)}`;
    const { configuration } = accepted({ flags: [{ kind: "assignment", ordinal: 1, text }] });
    const value = CONFIGURATION_SCHEMA.values(configuration).get(path);
    assert.deepEqual(value, key.default, path);
  }
});

test("a flag overrides a variable, which overrides a later file, which overrides an earlier one", () => {
  const reading = accepted({
    files: [
      yaml("one.yaml", "fetch: { retries: 1, maxRedirects: 1, concurrency: 1 }\nlanes: 1"),
      yaml("two.yaml", "fetch: { retries: 2, maxRedirects: 2, concurrency: 2 }"),
    ],
    environment: { TROBAR_FETCH_RETRIES: "3", TROBAR_FETCH_MAX_REDIRECTS: "3", HOME: "/root" },
    flags: [{ kind: "assignment", ordinal: 1, text: "fetch.retries=4" }],
  });
  const { fetch, lanes } = reading.configuration;
  assert.deepEqual([fetch.retries, fetch.maxRedirects, fetch.concurrency, lanes], [4, 3, 2, 1]);
  assert.equal(locationOf(reading, "fetch.retries"), "flag --set no. 1");
  assert.equal(
    locationOf(reading, "fetch.maxRedirects"),
    "environment variable TROBAR_FETCH_MAX_REDIRECTS",
  );
  assert.equal(locationOf(reading, "fetch.concurrency"), "two.yaml:1:52");
  assert.equal(locationOf(reading, "lanes"), "one.yaml:2:8");
  assert.equal(locationOf(reading, "scope"), undefined);
});

test("on the command line the last one wins, whatever its form", () => {
  const { configuration } = accepted({
    flags: [
      { kind: "value", flag: "--delay", key: "politeness.hostDelay", text: "2s" },
      { kind: "assignment", ordinal: 1, text: "politeness={hostDelay: 3s, ipDelay: 1s}" },
      { kind: "assignment", ordinal: 2, text: "politeness.ipDelay=2s" },
    ],
  });
  assert.equal(configuration.politeness.hostDelay, 3000);
  assert.equal(configuration.politeness.ipDelay, 2000);
});

test("a tree sets only the keys in it", () => {
  const { configuration } = accepted({
    files: [yaml("c.yaml", "limits: { pages: 5, depth: 2 }")],
    flags: [{ kind: "assignment", ordinal: 1, text: "limits={pages: 7}" }],
  });
  assert.equal(configuration.limits.pages, 7);
  assert.equal(configuration.limits.depth, 2);
});

test("groups may be empty, keys may be dotted, ~ takes a limit away", () => {
  const text = "limits:\n  # pages: 5\nfetch.retries: 7\nlimits.pagesPerHost: ~\n";
  const { configuration } = accepted({ files: [yaml("c.yaml", text)] });
  assert.equal(configuration.fetch.retries, 7);
  assert.equal(configuration.limits.pagesPerHost, null);
});

test("an empty file, comments, a byte order mark and CRLF are all fine", () => {
  for (const text of ["", "\n\n", "# nothing\n", "---\n", "\ufeff# bom\r\nlanes: 2\r\n", "{}"]) {
    accepted({ files: [yaml("c.yaml", text)] });
  }
  const { configuration } = accepted({ files: [yaml("c.yaml", "\ufefflanes: 2\r\n")] });
  assert.equal(configuration.lanes, 2);
});

test("the notation of a file follows from its name, otherwise from its first line", () => {
  const lines = "# comment\nfetch.retries = 5\n";
  for (const path of ["c.properties", "c.conf", "configuration", "c.txt"]) {
    assert.equal(accepted({ files: [yaml(path, lines)] }).configuration.fetch.retries, 5, path);
  }
  for (const path of ["c.yaml", "c.yml", "c.json", "configuration", "a=b"]) {
    const json = '{"fetch": {"retries": 6}}';
    assert.equal(accepted({ files: [yaml(path, json)] }).configuration.fetch.retries, 6, path);
  }
});

test("variables take lists with commas, and an empty one counts as not set", () => {
  const { configuration, locations } = accepted({
    environment: {
      TROBAR_POLITENESS_BLOCK_HOSTS: "A.example.org, b.example.org",
      TROBAR_SEEDS: "https://example.org/a\\,b",
      TROBAR_CONTACT: "",
      TROBAR_USER_AGENT: 'Bot/1.0 (+https://example.org/bot: "us")',
      TROBAR_LIMITS_PAGES_PER_HOST: "~",
      TROBAR_FETCH_PORTS: "any",
    },
  });
  assert.deepEqual(configuration.politeness.blockHosts, ["a.example.org", "b.example.org"]);
  assert.deepEqual(configuration.seeds, ["https://example.org/a,b"]);
  assert.equal(configuration.limits.pagesPerHost, null);
  assert.equal(configuration.fetch.ports, "any");
  assert.ok(!locations.has("contact"));
});

test("variables of the tests, and those that Kubernetes sets for a service, are left alone", () => {
  accepted({
    environment: {
      TROBAR_DEBUG: "1",
      TROBAR_CONFORMANCE: "x",
      TROBAR_SERVICE_HOST: "10.0.0.1",
      TROBAR_SERVICE_PORT_HTTP: "80",
      TROBAR_PORT: "tcp://10.0.0.1:80",
      TROBAR_PORT_80_TCP_ADDR: "10.0.0.1",
    },
  });
});

test("seeds on the command line may hold commas and replace those of a file", () => {
  const texts = ["https://example.org/a,b", "https://example.com/"];
  const { configuration } = accepted({
    files: [yaml("c.yaml", "seeds: [https://example.net/]")],
    flags: [{ kind: "arguments", key: "seeds", texts }],
  });
  assert.deepEqual(configuration.seeds, texts);
});

test("inclusions and exclusions narrow what the configuration schedules", () => {
  const { configuration, locations } = accepted({
    files: [yaml("c.yaml", "filters:\n  schedule: HostEndsWith(.org) # ours")],
    narrowing: { include: ["*/docs/*", "SameHost()"], exclude: ['*/a"b*', "*/Rome_(city)"] },
  });
  assert.equal(
    configuration.filters.schedule,
    "HostEndsWith(.org) and (URLGlob(*/docs/*) or SameHost()) " +
      "and not (URLGlob('*/a\"b*') or URLGlob('*/Rome_(city)'))",
  );
  assert.deepEqual(locations.get("filters.schedule"), {
    kind: "flag",
    flag: "--include",
    ordinal: null,
  });
});

test("with modules of atoms, filters may use names that are not built in", () => {
  const text = "filters:\n  fetch: Mine(1)\n  modules: [./atoms.js]";
  const { configuration } = accepted({
    files: [yaml("c.yaml", text)],
    narrowing: { include: ["Theirs()"], exclude: [] },
  });
  assert.deepEqual(configuration.filters.modules, ["./atoms.js"]);
  assert.equal(configuration.filters.schedule, "Theirs()");
  assert.equal(
    readConfiguration({ files: [yaml("c.yaml", "filters: { fetch: Mine(1) }")] }).ok,
    false,
  );
});

test("a filter is checked by what it can see at its place", () => {
  const files = [yaml("c.yaml", "filters:\n  fetch: 'StatusIs(200)'\n  store: StatusIs(200)")];
  const narrowing = { include: ["HostEndsWth(.org)"], exclude: ["*/a", "StatusIs(404)"] };
  const reading = readConfiguration({ files, narrowing });
  assert.ok(!reading.ok);
  const [fetch, exclude, include, ...more] = reading.mistakes;
  assert.deepEqual(more, []);
  assert.equal(fetch?.key, "filters.fetch");
  assert.match(fetch?.problem ?? "", /StatusIs looks at a response/);
  assert.deepEqual(exclude?.location, { kind: "flag", flag: "--exclude", ordinal: null });
  assert.match(exclude?.problem ?? "", /StatusIs looks at a response; .* sees only links/);
  assert.deepEqual(include?.location, { kind: "flag", flag: "--include", ordinal: null });
  assert.match(include?.problem ?? "", /column 1: .*HostEndsWith[\s\S]*\^/);
  assert.match(renderMistakes(reading.mistakes, 0), /\n {4}HostEndsWth\(\.org\)\n {4}\^$/);
});

test("whatever bytes a file holds, reading it gives a value and throws nothing", () => {
  const words = fc.constantFrom(
    "limits",
    "pages",
    "fetch",
    ": ",
    "=",
    "- ",
    "\n",
    "\n  ",
    "~",
    "[",
  );
  const likely = fc.array(fc.oneof(words, fc.string({ maxLength: 3 })), { maxLength: 30 });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    likely.map((parts) => new TextEncoder().encode(parts.join(""))),
  );
  const path = fc.constantFrom("c.yaml", "c.properties", "c");
  fc.assert(
    fc.property(path, bytes, (name, content) => {
      checkReading(readConfiguration({ files: [{ path: name, bytes: content }] }), name);
    }),
    { numRuns: process.env["TROBAR_FULL"] === "1" ? 20_000 : 2000 },
  );
});

test("whatever variables and flags say, reading them throws nothing", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string());
  const key = fc.constantFrom(...CONFIGURATION_SCHEMA.keys.map(({ path }) => path));
  fc.assert(
    fc.property(key, text, text, (path, value, name) => {
      const sources: ConfigurationSources = {
        environment: { [`TROBAR_${name}`]: value },
        flags: [
          { kind: "value", flag: "--x", key: path, text: value },
          { kind: "assignment", ordinal: 1, text: `${path}=${value}` },
          { kind: "assignment", ordinal: 2, text: value },
        ],
      };
      checkReading(readConfiguration(sources), "");
    }),
  );
});

/** Either a tree that is legal key by key, or mistakes that each say where, what and how to go on. */
function checkReading(reading: ConfigurationReading, file: string): void {
  if (!reading.ok) {
    assert.ok(reading.mistakes.length > 0);
    for (const mistake of reading.mistakes) {
      assert.ok(mistake.problem.length > 0 && mistake.code in ERRORS, JSON.stringify(mistake));
      assert.ok(describeLocation(mistake.location).includes(file), JSON.stringify(mistake));
    }
    return;
  }
  const values = CONFIGURATION_SCHEMA.values(reading.configuration);
  for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
    assert.ok(values.has(path), path);
    if (!reading.locations.has(path)) assert.deepEqual(values.get(path), key.default, path);
  }
}

type Accepted = Extract<ConfigurationReading, { ok: true }>;

function accepted(sources: ConfigurationSources): Accepted {
  const reading = readConfiguration(sources);
  assert.ok(reading.ok, JSON.stringify(reading, null, 1));
  return reading;
}

function locationOf(reading: Accepted, key: string): string | undefined {
  const location = reading.locations.get(key);
  return location === undefined ? undefined : describeLocation(location);
}

function yaml(path: string, text: string): { path: string; bytes: Uint8Array } {
  return { path, bytes: new TextEncoder().encode(text) };
}
