/** The topology of the crawl: its units, their settings, metrics and states, and changes of all that. */
import type { ControlledCrawl } from "../../agent/index.ts";
import { quoted } from "../../base/text/index.ts";
import { choice, list, object, type Schema, table, text } from "../description/schema.ts";
import { absent, UNIT_ID } from "./parameters.ts";
import type { Asked, Parameter, Reply, Route } from "./route.ts";
import { METRICS_SCHEMA, SETTING_SCHEMA, TOPOLOGY_SCHEMA, UNIT_SCHEMA } from "./unit-schemas.ts";

type TopologyChange = Parameters<ControlledCrawl["units"]["changeTopology"]>[0];

/** A file of a topology, or a value, is no longer. */
const TEXT_UNITS_MAX = 100_000;
const VALUES_MAX = 100;

const INSTANCE: Parameter = {
  meaning: "The number of an instance, from 0. All instances of a unit share its settings.",
  schema: { type: "integer", minimum: 0, maximum: 1_000_000 },
  ...{ isRequired: true, example: "0" },
};

const TOPOLOGY_TEXT: Schema = text("A topology file in YAML.", { maxLength: TEXT_UNITS_MAX });

const SETTINGS: Schema = object({ settings: list(SETTING_SCHEMA) });

const NO_UNIT = { meaning: "There is no such unit.", schema: null };
const NOT_TAKEN = { meaning: "The change was refused, and nothing is changed.", schema: null };

const VALUES: Route["body"] = {
  schema: object({
    values: {
      ...table(text("As in a file, such as `5s`.", { maxLength: TEXT_UNITS_MAX }), "By key."),
      maxProperties: VALUES_MAX,
    },
  }),
  example: { values: {} },
};

async function settingsReply({ control, path }: Asked): Promise<Reply> {
  return { status: 200, body: { settings: await control.units.settings(path["id"] ?? "") } };
}

async function changeReply({ control, path, body }: Asked): Promise<Reply> {
  const { values } = body as { values: Readonly<Record<string, string>> };
  return { status: 200, body: { settings: await control.units.change(path["id"] ?? "", values) } };
}

/** Refuses the number of an instance that is not there. */
function ofInstance(handle: Route["handle"]): Route["handle"] {
  return async (asked) => {
    const { control, path } = asked;
    const { id, instances } = await control.units.find(path["id"] ?? "");
    if (Number(path["instance"]) >= instances) {
      throw absent(`${quoted(id)} has ${instances} instances, numbered from 0.`);
    }
    return await handle(asked);
  };
}

export const UNIT_ROUTES: readonly Route[] = [
  {
    ...{ method: "GET", path: "/topology", id: "topology", access: "read" },
    summary: "All units and connectors, with how they are wired.",
    replies: { 200: { meaning: "The topology.", schema: TOPOLOGY_SCHEMA } },
    handle: async ({ control }) => ({ status: 200, body: await control.units.list() }),
  },
  {
    ...{ method: "PATCH", path: "/topology", id: "changeTopology", access: "write" },
    summary: "Adds and wires units, swaps a provider or connector, removes units, sets instances.",
    body: {
      schema: {
        anyOf: [
          object({ do: choice("add", "swap"), topology: TOPOLOGY_TEXT }),
          object({ do: choice("remove"), id: UNIT_ID.schema }),
          object({
            ...{ do: choice("instances"), id: UNIT_ID.schema },
            count: { type: "integer", minimum: 1, maximum: 1000 },
          }),
        ],
      },
      example: { do: "instances", id: "parser", count: 1 },
    },
    replies: {
      200: { meaning: "The topology afterwards.", schema: TOPOLOGY_SCHEMA },
      409: NOT_TAKEN,
    },
    handle: async ({ control, body }) => ({
      ...{ status: 200, body: await control.units.changeTopology(body as TopologyChange) },
    }),
  },
  {
    ...{ method: "GET", path: "/units", id: "units", access: "read" },
    summary: "All units with their settings, metrics and states, in one answer.",
    replies: {
      200: {
        meaning: "All units.",
        schema: object({
          units: list(
            object({ ...UNIT_SCHEMA.properties, settings: list(SETTING_SCHEMA) }, ["thread"]),
          ),
        }),
      },
    },
    handle: async ({ control }) => {
      const { units } = await control.units.list();
      const whole = units.map(async (unit) => {
        return { ...unit, settings: await control.units.settings(unit.id) };
      });
      return { status: 200, body: { units: await Promise.all(whole) } };
    },
  },
  {
    ...{ method: "GET", path: "/units/{id}/settings", id: "settings", access: "read" },
    summary: "The settings of a unit, each with its meaning and its legal values.",
    parameters: { id: UNIT_ID },
    replies: { 200: { meaning: "Its settings.", schema: SETTINGS }, 404: NO_UNIT },
    handle: settingsReply,
  },
  {
    ...{ method: "PATCH", path: "/units/{id}/settings", id: "changeSettings", access: "write" },
    summary: "Changes settings of a unit while it runs: all of them, or none.",
    ...{ parameters: { id: UNIT_ID }, body: VALUES },
    replies: {
      200: { meaning: "Its settings afterwards.", schema: SETTINGS },
      ...{ 404: NO_UNIT, 409: NOT_TAKEN },
    },
    handle: changeReply,
  },
  {
    ...{ method: "GET", path: "/units/{id}/{instance}/settings", access: "read" },
    id: "instanceSettings",
    summary: "The settings of an instance, which are those of its unit.",
    parameters: { id: UNIT_ID, instance: INSTANCE },
    replies: { 200: { meaning: "Its settings.", schema: SETTINGS }, 404: NO_UNIT },
    handle: ofInstance(settingsReply),
  },
  {
    ...{ method: "PATCH", path: "/units/{id}/{instance}/settings", access: "write" },
    id: "changeInstanceSettings",
    summary: "Changes the settings of an instance, and so those of its unit.",
    ...{ parameters: { id: UNIT_ID, instance: INSTANCE }, body: VALUES },
    replies: {
      200: { meaning: "Its settings afterwards.", schema: SETTINGS },
      ...{ 404: NO_UNIT, 409: NOT_TAKEN },
    },
    handle: ofInstance(changeReply),
  },
  {
    ...{ method: "GET", path: "/units/{id}/metrics", id: "unitMetrics", access: "read" },
    summary: "What a unit has counted and measured.",
    parameters: { id: UNIT_ID },
    replies: {
      200: { meaning: "Its metrics.", schema: object({ metrics: METRICS_SCHEMA }) },
      404: NO_UNIT,
    },
    handle: async ({ control, path }) => {
      const { metrics } = await control.units.find(path["id"] ?? "");
      return { status: 200, body: { metrics } };
    },
  },
  {
    ...{ method: "POST", path: "/units/{id}/state", id: "changeState", access: "write" },
    summary: "Suspends a unit, or starts it again. A suspended unit takes no items.",
    parameters: { id: UNIT_ID },
    body: {
      schema: object({ state: choice("suspended", "running") }),
      example: { state: "running" },
    },
    replies: {
      200: { meaning: "The unit afterwards.", schema: UNIT_SCHEMA },
      ...{ 404: NO_UNIT, 409: NOT_TAKEN },
    },
    handle: async ({ control, path, body }) => {
      const { state } = body as { state: "suspended" | "running" };
      const id = path["id"] ?? "";
      const { units } = control;
      const unit = state === "suspended" ? await units.suspend(id) : await units.start(id);
      return { status: 200, body: unit };
    },
  },
];
