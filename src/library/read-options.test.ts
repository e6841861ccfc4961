import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIGURATION_SCHEMA } from "../rules/config/index.ts";
import type { CrawlOptions } from "./crawl-options.ts";
import { readOptions } from "./read-options.ts";

const SEEDS = { seeds: ["https://example.org/"] };

test("values are as in YAML, or what they mean there", () => {
  const { configuration } = readOptions({
    seeds: [new URL("https://example.org/"), "example.net"],
    limits: { pages: "2k", bytes: "10Mi", time: null },
    politeness: { hostDelay: "5ms", robots: "ignore" },
    fetch: { headers: { Accept: "text/html" }, ports: "any", cookies: true },
    sitemaps: undefined,
  });
  assert.deepEqual(configuration.seeds, ["https://example.org/", "https://example.net"]);
  assert.equal(configuration.limits.pages, 2000);
  assert.equal(configuration.limits.bytes, 10 * 2 ** 20);
  assert.equal(configuration.limits.time, null);
  assert.equal(configuration.politeness.hostDelay, 5);
  assert.equal(configuration.fetch.ports, "any");
  assert.equal(configuration.fetch.cookies, true);
  assert.equal(configuration.sitemaps, false);
});

test("every mistake is named at once, with its key", () => {
  const options = {
    seeds: ["https://a b/"],
    limits: { pags: 3, depth: "deep" },
    handler: "print",
    handlers: 100,
    extract: { price: "p[" },
    store: { kind: () => 1 },
    lanes: 7,
    pages: "rows.txt",
  } as unknown as CrawlOptions;
  assert.throws(
    () => readOptions(options),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, "CONFIG_INVALID");
      const { message } = error;
      for (const part of [
        /"https:\/\/a b\/" /,
        /"limits.pags".*limits\.pages/,
        /limits\.depth: "deep"/,
      ])
        assert.match(message, part);
      for (const part of [/handler is not/, /handlers is not.*64/, /extract.*CSS/, /pages is not/])
        assert.match(message, part);
      assert.match(message, /kind is neither/);
      return true;
    },
  );
});

test("what is not built yet is refused by its key", () => {
  assert.throws(
    () => readOptions({ ...SEEDS, store: { migrate: true } }),
    /migrate is not part of this version/,
  );
  assert.throws(
    () => readOptions({ ...SEEDS, api: { port: 99 } }),
    /api is not part of this version/,
  );
});

test("credentials and cookies come from where the options say, and mistakes name it", (t) => {
  process.env["TROBAR_TEST_LOGIN"] = "me:secret";
  t.after(() => {
    delete process.env["TROBAR_TEST_LOGIN"];
  });
  const credentials = [{ host: "example.org", env: "TROBAR_TEST_LOGIN" }];
  const { secrets } = readOptions({ ...SEEDS, fetch: { credentials } });
  const [{ host, authorization, mayBeClear } = { host: "" }] = secrets.credentials;
  assert.deepEqual([host, authorization], ["example.org", `Basic ${btoa("me:secret")}`]);
  assert.equal(mayBeClear, false);
  const missing = [{ host: "example.org", env: "TROBAR_TEST_NONE" }];
  assert.throws(
    () => readOptions({ ...SEEDS, cookies: "none.txt", fetch: { credentials: missing } }),
    (error: Error) =>
      /fetch\.credentials: "TROBAR_TEST_NONE" is not set/.test(error.message) &&
      /none\.txt" does not exist/.test(error.message),
  );
});

test("every key of the configuration is an option", () => {
  const mistakesOf = (path: string): string => {
    const tree = path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), true);
    try {
      readOptions({ ...SEEDS, ...(tree as CrawlOptions) });
      return "";
    } catch (error) {
      return String(error);
    }
  };
  assert.match(mistakesOf("fetch.nothing"), /is not a key/);
  const keys = CONFIGURATION_SCHEMA.keys.map(({ path }) => path);
  assert.ok(keys.length > 100);
  // Many take no such value, but all are known.
  for (const path of keys) assert.doesNotMatch(mistakesOf(path), /is not a key/, path);
});

test("a crawl needs a seed", () => {
  assert.throws(() => readOptions({}), { code: "USAGE_NO_SEEDS" });
});

test("a password in a seed is taken out of it", () => {
  const { configuration, secrets } = readOptions({ seeds: ["https://me:secret@example.org/"] });
  assert.deepEqual(configuration.seeds, ["https://example.org/"]);
  assert.equal(secrets.credentials.length, 1);
});

test("functions and objects stand where modules are named", async () => {
  const store = { put: () => {} };
  const parser = { accepts: () => true, read: () => ({}) };
  const { configuration, modules } = readOptions({
    ...SEEDS,
    parse: { parsers: [parser, "html"] },
    frontier: { traversal: "priority", score: () => 1 },
    store: { kind: store, checkpoint: "1s" },
    filters: {
      modules: [{ Own: { looksAt: "url", create: () => () => true } }],
      schedule: "Own()",
    },
  });
  const [name = "", html] = configuration.parse.parsers;
  assert.equal(html, "html");
  const { createParser } = await modules.importModule(name);
  assert.equal((createParser as () => unknown)(), parser);
  const { createScore } = await modules.importModule(configuration.frontier.score);
  assert.equal((createScore as () => { priorityOf(): number })().priorityOf(), 1);
  const { createStore } = await modules.importModule(configuration.store.kind);
  assert.equal((createStore as () => unknown)(), store);
  await assert.rejects(modules.importModule("./not-there.js"));
});
