/** The hosts of the crawl: how they stand, and what is changed about one of them. */
import type { ControlledCrawl } from "../../agent/index.ts";
import { quoted } from "../../base/text/index.ts";
import {
  COUNT,
  choice,
  FLAG,
  list,
  NUMBER,
  nullable,
  object,
  type Schema,
  text,
} from "../description/schema.ts";
import { AFTER, absent, durationMs, HOST, hostNamed, LIMIT, limitOf } from "./parameters.ts";
import type { Route } from "./route.ts";
import { MISSING_SCHEMA } from "./summary-schema.ts";

type HostQuery = Parameters<ControlledCrawl["hosts"]>[0];
type HostView = NonNullable<Awaited<ReturnType<ControlledCrawl["host"]>>>;

const STATES = [
  ...["idle", "fetching", "dormant", "given-up", "politeness", "resolving", "robots", "retry"],
  ...["reading", "blocked"],
];
const MS: Schema = { type: "number", minimum: 0, description: "Milliseconds." };

const HOST_SCHEMA: Schema = object({
  host: text(),
  agent: nullable(text("Which agent has it; null for a crawl that is alone.")),
  state: choice(...STATES),
  pages: { ...COUNT, description: "Pages fetched." },
  queued: { ...COUNT, description: "URLs that wait." },
  aliasOf: nullable(text("With `dns.aliases`, the name of its server, if it has another name.")),
  address: nullable(text("The address that is asked, if it is known now.")),
  delayMs: { ...MS, description: "From the end of a fetch to the start of the next." },
  crawlDelayMs: { ...MS, description: "What its robots.txt asks for; 0 for nothing." },
  restsMs: { ...MS, description: "How long it is left alone from now on." },
  end: nullable(text("Why it was given up: the code of an error, or the word of a refusal.")),
  robots: list(
    object({
      origin: text(),
      state: choice("unread", "being-read", "read", "robots", "robots-unreachable", "crawl-delay"),
      ageMs: { type: ["number", "null"], description: "Since it was settled." },
      crawlDelayMs: MS,
    }),
  ),
});

const CHANGED_SCHEMA: Schema = object({
  host: text(),
  known: { ...FLAG, description: "Whether any URL of it was met." },
  blocked: FLAG,
  delayMs: NUMBER,
  purged: { ...COUNT, description: "URLs that were refused by this change." },
  queued: COUNT,
});

/** Its number is for cursors only. */
function printed({ number: _number, ...rest }: HostView): object {
  return rest;
}

export const HOST_ROUTES: readonly Route[] = [
  {
    ...{ method: "GET", path: "/hosts", id: "hosts", access: "read" },
    summary: "Hosts with their state, politeness, robots.txt and counts, a page at a time.",
    query: {
      match: {
        meaning: "Only hosts whose name has this part.",
        schema: { type: "string", minLength: 1, maxLength: 255 },
        example: "example",
      },
      state: { meaning: "Only hosts in this state.", schema: choice(...STATES), example: "idle" },
      sort: {
        meaning: "`found` (as they were met, unless given), `pages` or `queued` (the most first).",
        schema: choice("found", "pages", "queued"),
        example: "queued",
      },
      ...{ after: AFTER, limit: LIMIT },
    },
    replies: {
      200: {
        meaning: "A page of hosts; `cursor` is null on the last.",
        schema: object({
          ...{ hosts: list(HOST_SCHEMA), cursor: nullable(text()), missing: MISSING_SCHEMA },
        }),
      },
    },
    handle: async ({ control, query }) => {
      const { hosts, cursor, missing } = await control.hosts({
        match: query["match"]?.toLowerCase() ?? null,
        state: (query["state"] ?? null) as HostQuery["state"],
        sort: (query["sort"] ?? "found") as HostQuery["sort"],
        after: query["after"] ?? null,
        limit: limitOf(query["limit"]),
      });
      return { status: 200, body: { hosts: hosts.map(printed), cursor, missing } };
    },
  },
  {
    ...{ method: "GET", path: "/hosts/{host}", id: "host", access: "read" },
    summary: "One host.",
    parameters: { host: HOST },
    replies: {
      200: { meaning: "The host.", schema: HOST_SCHEMA },
      404: { meaning: "No URL of this host was met.", schema: null },
    },
    handle: async ({ control, path }) => {
      const host = hostNamed(path["host"] ?? "");
      const view = await control.host(host);
      if (view === null) throw absent(`No URL of ${quoted(host)} was met so far.`);
      return { status: 200, body: printed(view) };
    },
  },
  {
    ...{ method: "PATCH", path: "/hosts/{host}", id: "changeHost", access: "write" },
    summary: "Blocks a host or lifts that, refuses what waits of it, gives it another delay.",
    parameters: { host: HOST },
    body: {
      schema: object(
        {
          block: { ...FLAG, description: "Whether nothing is asked of it; its URLs wait." },
          purge: { ...FLAG, description: "Refuses all URLs of it that wait now." },
          delay: nullable(text("As in the configuration, such as `5s`; null for the usual one.")),
        },
        ["block", "purge", "delay"],
      ),
      example: { delay: "5s" },
    },
    replies: { 200: { meaning: "The host afterwards.", schema: CHANGED_SCHEMA } },
    handle: async ({ control, path, body }) => {
      const { block, purge, delay } = body as HostBody;
      const host = hostNamed(path["host"] ?? "");
      const delayMs = typeof delay === "string" ? durationMs(delay, "delay") : delay;
      const changed = await control.changeHost(host, { isBlocked: block, purge, delayMs });
      const { isKnown: known, isBlocked: blocked, purged, waiting: queued } = changed;
      const now = { known, blocked, delayMs: changed.delayMs, purged, queued };
      return { status: 200, body: { host, ...now } };
    },
  },
];

interface HostBody {
  readonly block?: boolean;
  readonly purge?: boolean;
  readonly delay?: string | null;
}
