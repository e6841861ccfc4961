/**
 * The description of the API and the server are compared, route by route, on a crawl that runs: every
 * route is asked as its example says, and every answer has a status and a form that the description
 * has. Then hostile values, made from the description, go to every route: each is refused with a status
 * that the description has, and the crawl is none the worse.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { repliesOf } from "../../src/api/description/open-api.ts";
import { REFUSAL_SCHEMA } from "../../src/api/description/refusal-schema.ts";
import { problemsOf } from "../../src/api/description/schema.ts";
import type { Parameter, Route } from "../../src/api/routes/route.ts";
import { ROUTES } from "../../src/api/routes/routes.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { CrawledWeb, crawlInto, type EndedCrawl, linking } from "../support/agent/crawl-rig.ts";
import { ApiClient, type ApiReply } from "./api-client.ts";

const HOSTS = {
  "a.test": { pages: { "/": linking("/1", "/2"), "/1": linking(), "/2": linking() } },
};

let web: CrawledWeb;
let api: ApiClient;
let ended: Promise<EndedCrawl>;

before(async () => {
  web = await CrawledWeb.open(() => HOSTS);
  const folder = join(web.folder, "described");
  const flags = [
    ...web.flags,
    "--delay",
    "1h",
    "--ignore-robots",
    "--json",
    "--quiet",
    "-o",
    folder,
  ];
  ended = crawlInto(folder, ["crawl", ...flags, web.url("a.test/")]);
  // The first page; after that the host rests for an hour.
  await web.requests(1);
  api = new ApiClient(folder);
});

after(async () => {
  await api.ask("POST", "/control", { action: "stop", immediate: true });
  assert.equal((await ended).summary?.reason, "signal");
  await web.close();
});

/** A value of this crawl for each parameter of a path. */
const OWN: Readonly<Record<string, string>> = { host: "a.test", id: "front", instance: "0" };

/** Not given together with the others: a cursor is of one crawl, and a page has a URL or a prefix. */
const LEFT_OUT: ReadonlySet<string> = new Set(["after", "prefix"]);

function pathOf(route: Route, given: (name: string, parameter: Parameter) => string): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = route.parameters?.[name];
    assert.ok(parameter !== undefined, `${route.path} describes ${name}`);
    return encodeURIComponent(given(name, parameter));
  });
}

function checkReply(route: Route, { status, body, headers }: ApiReply, asked: string): void {
  const described = repliesOf(route)[status];
  assert.ok(described !== undefined, `${asked} answered ${status}: ${JSON.stringify(body)}`);
  const schema = described.schema ?? REFUSAL_SCHEMA;
  const { type = "application/json" } = described;
  assert.equal(headers.get("content-type"), type, asked);
  if (type === "application/json") assert.deepEqual(problemsOf(schema, body), [], asked);
}

const QUIET_ROUTES = ROUTES.filter(({ id }) => id !== "events");

for (const route of QUIET_ROUTES) {
  test(`${route.method} ${route.path} answers its example as it is described`, async () => {
    const path = pathOf(route, (name, { example }) => OWN[name] ?? example);
    const query = Object.entries(route.query ?? {}).filter(([name]) => !LEFT_OUT.has(name));
    const search = new URLSearchParams(
      query.map(([name, { example }]) => [name, example] as [string, string]),
    );
    const reply = await api.ask(route.method, `${path}?${search}`, route.body?.example);
    checkReply(route, reply, route.path);
    assert.ok(reply.status === 200 || route.replies[reply.status] !== undefined);
    // This crawl is alone.
    const status = route.id === "changeCluster" ? 409 : 200;
    if (route.query === undefined) assert.equal(reply.status, status, JSON.stringify(reply.body));
  });
}

test("the document that is served lists every route with its parameters and answers", async () => {
  const { body } = await api.get("/openapi.json");
  const { paths, openapi } = body as {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  assert.match(openapi, /^3\.1\./);
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const names = operation.parameters.map(({ name, in: where }) => `${where} ${name}`);
      return [`${method.toUpperCase()} ${path}`, names, Object.keys(operation.responses)];
    }),
  );
  const known = ROUTES.map((route) => [
    `${route.method} ${route.path}`,
    [
      ...Object.keys(route.parameters ?? {}).map((name) => `path ${name}`),
      ...Object.keys(route.query ?? {}).map((name) => `query ${name}`),
    ],
    Object.keys(repliesOf(route)),
  ]);
  assert.deepEqual(served.toSorted(byName), known.toSorted(byName));
  const ids = ROUTES.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, "ids are unique");
});

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, object>>;
}

function byName([one]: unknown[], [other]: unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

test("every other method of every path is refused, and so is every other path", async () => {
  for (const path of new Set(QUIET_ROUTES.map((route) => route.path))) {
    const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (methods.some((known) => known === method)) continue;
      const { status, headers } = await api.ask(method, path.replaceAll(/[{}]/g, ""));
      assert.equal(status, 405, `${method} ${path}`);
      assert.equal(headers.get("allow"), methods.join(", "));
    }
  }
  for (const path of [
    "",
    "/",
    "/nothing",
    "/status/",
    "//status",
    "/%2e%2e/status",
    "/status%00",
  ]) {
    assert.equal((await api.get(path)).status, 404, path);
  }
});

const HOSTILE: readonly unknown[] = [
  ...["", " ", "\u0000", "\r\nX: y", "\u202e", "../../etc/passwd", "<script>", "' OR 1=1 --"],
  ...["__proto__", "constructor", "%", "%zz", "💥", "a".repeat(5000), "-1", "1e999", "NaN", "null"],
  ...["front", "limits.pages", "&a *a", "!!js/function x", "[", "{", "http://[", "9".repeat(40)],
  ...[null, true, 0, -1, 1.5, 1e308, [], {}, [[]], { __proto__: null }, [null], { a: { b: [1] } }],
  JSON.parse('{"__proto__": {"polluted": true}}'),
];

const SEED = "api fuzz 1";
const ROUNDS = process.env["TROBAR_FULL"] === "1" ? 60 : 8;

for (const route of QUIET_ROUTES) {
  test(`${route.method} ${route.path} takes hostile values calmly (${SEED})`, async () => {
    const random = new SeededRandom(SEED).fork(`${route.method} ${route.path}`);
    const hostile = (): unknown => HOSTILE[random.below(HOSTILE.length)];
    const word = (): string => {
      const value = hostile();
      return typeof value === "string" ? value : JSON.stringify(value);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      // A path without a value in it is another path.
      const path = pathOf(route, (name) =>
        random.below(2) === 0 ? (OWN[name] ?? "x") : word() || "x",
      );
      const names = Object.keys(route.query ?? {}).filter(() => random.below(2) === 0);
      const extra = random.below(4) === 0 ? [word()] : [];
      const query = [...names, ...extra].map((name) => [name, word()] as [string, string]);
      const body = route.body === undefined ? undefined : hostileBody(route, random, hostile);
      const asked = `${path}?${new URLSearchParams(query)}`;
      const reply = await api.ask(route.method, asked, body);
      const shown = `${route.method} ${asked} ${JSON.stringify(body)?.slice(0, 500)}`;
      checkReply(route, reply, shown);
      assert.notEqual(reply.status, 500, `${shown}: ${JSON.stringify(reply.body)}`);
      assert.equal(reply.headers.get("content-security-policy")?.includes("sandbox"), true);
    }
    assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined);
  });
}

/** The example with parts of it replaced, or something else altogether. */
function hostileBody(route: Route, random: SeededRandom, hostile: () => unknown): unknown {
  if (random.below(4) === 0) return hostile();
  const example = structuredClone(route.body?.example) as Record<string, unknown>;
  for (const key of Object.keys(example)) if (random.below(2) === 0) example[key] = hostile();
  if (random.below(4) === 0) example[JSON.stringify(hostile()).slice(0, 50)] = hostile();
  // The crawl goes on: whoever may write may stop it.
  return example["action"] === "stop" ? {} : example;
}

test("after all that the crawl is as it was", async () => {
  await api.ask("POST", "/control", { action: "resume" });
  const { status, body } = await api.get("/status");
  const { state, errors, pages } = body as CrawlSummary;
  assert.deepEqual([status, state, errors, pages], [200, "running", {}, 1]);
});
