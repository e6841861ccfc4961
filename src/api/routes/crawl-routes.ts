/** The crawl as a whole: how it goes, and what is done to all of it. */
import {
  COUNT,
  choice,
  FLAG,
  list,
  nullable,
  object,
  type Schema,
  text,
} from "../description/schema.ts";
import type { Route } from "./route.ts";
import { MISSING_SCHEMA, SUMMARY_SCHEMA } from "./summary-schema.ts";
import { SETTING_SCHEMA } from "./unit-schemas.ts";

const SEEDS_MAX = 10_000;
const SEED_UNITS_MAX = 4096;

type ControlBody =
  | { readonly action: "pause" | "resume" }
  | { readonly action: "stop"; readonly immediate?: boolean }
  | { readonly action: "set"; readonly key: string; readonly value: string }
  | { readonly action: "retry"; readonly where?: string };

const IMMEDIATE: Schema = {
  ...FLAG,
  description: "Gives up the fetches in flight, which otherwise get some seconds.",
};

const WHERE: Schema = text(
  "A filter of pages, or a glob; unless given, failed pages that may succeed: no answer, 429, 5xx.",
  { minLength: 1, maxLength: 10_000 },
);

const KEY_AND_VALUE = {
  key: text("A key of the configuration, or the id of a unit and a key of it: `UNIT.KEY`.", {
    ...{ minLength: 1, maxLength: 200 },
  }),
  value: text("As in a file, such as `5s`.", { maxLength: 100_000 }),
};

export const CRAWL_ROUTES: readonly Route[] = [
  {
    ...{ method: "GET", path: "/health", id: "health", access: "open" },
    summary: "Whether the process answers. Needs no token and tells nothing else.",
    replies: { 200: { meaning: "It does.", schema: object({ status: choice("ok") }) } },
    handle: () => ({ status: 200, body: { status: "ok" } }),
  },
  {
    ...{ method: "GET", path: "/status", id: "status", access: "read" },
    summary: "The summary of the crawl so far.",
    replies: { 200: { meaning: "The summary.", schema: SUMMARY_SCHEMA } },
    handle: async ({ control }) => ({ status: 200, body: await control.status() }),
  },
  {
    ...{ method: "POST", path: "/control", id: "control", access: "write" },
    summary: "Pauses, resumes or stops the crawl, changes a setting, tries failed pages again.",
    body: {
      schema: {
        anyOf: [
          object({ action: choice("pause", "resume") }),
          object({ action: choice("stop"), immediate: IMMEDIATE }, ["immediate"]),
          object({ action: choice("set"), ...KEY_AND_VALUE }),
          object({ action: choice("retry"), where: WHERE }, ["where"]),
        ],
      },
      example: { action: "pause" },
    },
    replies: {
      200: {
        meaning: "The summary afterwards; for retry, how many pages are tried again.",
        schema: { anyOf: [SUMMARY_SCHEMA, object({ retried: COUNT, missing: MISSING_SCHEMA })] },
      },
    },
    handle: async ({ control, body }) => {
      const asked = body as ControlBody;
      if (asked.action === "retry") {
        return { status: 200, body: await control.retry(asked.where ?? null) };
      }
      if (asked.action === "stop") await control.stop(asked);
      else if (asked.action === "set") await control.units.set(asked.key, asked.value);
      else await control[asked.action]();
      return { status: 200, body: await control.status() };
    },
  },
  {
    ...{ method: "GET", path: "/settings", id: "configuration", access: "read" },
    summary: "The configuration of the crawl, and which keys can be changed while it runs.",
    replies: {
      200: {
        meaning: "All keys.",
        schema: object({
          settings: list(
            object({
              ...{ key: text(), meaning: text(), legal: text(), value: text("As in a file.") },
              fixed: nullable(text("Why it cannot be changed now; null if it can.")),
            }),
          ),
        }),
      },
    },
    handle: ({ control }) => ({ status: 200, body: { settings: control.units.configuration() } }),
  },
  {
    ...{ method: "PATCH", path: "/settings", id: "changeSetting", access: "write" },
    summary: "Changes a key of the configuration while the crawl runs, or a setting of a unit.",
    body: {
      schema: object(KEY_AND_VALUE),
      example: { key: "politeness.hostDelay", value: "2s" },
    },
    replies: {
      200: {
        meaning: "The setting afterwards.",
        schema: object({ settings: list(SETTING_SCHEMA) }),
      },
      404: { meaning: "There is no such key.", schema: null },
    },
    handle: async ({ control, body }) => {
      const { key, value } = body as { key: string; value: string };
      return { status: 200, body: { settings: await control.units.set(key, value) } };
    },
  },
  {
    ...{ method: "POST", path: "/seeds", id: "addSeeds", access: "write" },
    summary: "Adds seeds to the crawl.",
    body: {
      schema: object({
        seeds: list(text(undefined, { minLength: 1, maxLength: SEED_UNITS_MAX }), {
          ...{ minItems: 1, maxItems: SEEDS_MAX },
        }),
      }),
      example: { seeds: ["https://example.org/"] },
    },
    replies: {
      200: {
        meaning: "What became of each, in their order.",
        schema: object({
          seeds: list(
            object({
              seed: text("As it was given."),
              fate: choice("added", "known", "refused", "invalid"),
              url: nullable(text("As it is fetched.")),
              why: nullable(text("Why it was refused or is invalid.")),
            }),
          ),
          agents: { ...COUNT, description: "How many agents hold those that were added." },
        }),
      },
    },
    handle: async ({ control, body }) => {
      const { seeds } = body as { seeds: readonly string[] };
      return { status: 200, body: await control.addSeeds(seeds) };
    },
  },
];
