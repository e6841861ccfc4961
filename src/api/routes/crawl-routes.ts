/** The crawl as a whole: how it goes, and what is done to all of it. */
import { choice, FLAG, list, nullable, object, text } from "../description/schema.ts";
import type { Route } from "./route.ts";
import { SUMMARY_SCHEMA } from "./summary-schema.ts";

const SEEDS_MAX = 10_000;
const SEED_UNITS_MAX = 4096;

type Action = "pause" | "resume" | "stop";

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
    handle: ({ control }) => ({ status: 200, body: control.status() }),
  },
  {
    ...{ method: "POST", path: "/control", id: "control", access: "write" },
    summary: "Pauses, resumes or stops the crawl.",
    body: {
      schema: object(
        {
          action: choice("pause", "resume", "stop"),
          immediate: {
            ...FLAG,
            description:
              "For stop: gives up the fetches in flight, which otherwise get some seconds.",
          },
        },
        ["immediate"],
      ),
      example: { action: "pause" },
    },
    replies: { 200: { meaning: "The summary afterwards.", schema: SUMMARY_SCHEMA } },
    handle: ({ control, body }) => {
      const { action, immediate = false } = body as { action: Action; immediate?: boolean };
      if (action === "stop") control.stop({ immediate });
      else control[action]();
      return { status: 200, body: control.status() };
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
        }),
      },
    },
    handle: async ({ control, body }) => {
      const { seeds } = body as { seeds: readonly string[] };
      return { status: 200, body: { seeds: await control.addSeeds(seeds) } };
    },
  },
];
