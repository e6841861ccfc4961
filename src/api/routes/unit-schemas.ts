/** Units, connectors and settings, as the API gives them. */
import {
  COUNT,
  FLAG,
  list,
  NUMBER,
  nullable,
  object,
  type Schema,
  table,
  text,
} from "../description/schema.ts";

const METRICS: Schema = table(
  { anyOf: [NUMBER, table({ anyOf: [NUMBER, list({ anyOf: [NUMBER, list(NUMBER)] })] })] },
  "A number, or the readings of a histogram, by name.",
);

const BINDINGS: Schema = table(text(), "Ids, by role.");

export const UNIT_SCHEMA: Schema = object({
  id: text(),
  kind: text("`provider`, or the kind of component."),
  unit: text("What it is made of: a name of the library, or a module."),
  state: text("`running`, `suspended` and the like; `providing` for a provider."),
  instances: COUNT,
  inFlight: { ...COUNT, description: "Items that are being worked on." },
  waitingOut: { ...COUNT, description: "Items that wait for room in an output." },
  metrics: METRICS,
  inputs: BINDINGS,
  outputs: BINDINGS,
  providers: BINDINGS,
  thread: nullable(text("Null for the thread of the topology.")),
});

const CONNECTOR_SCHEMA: Schema = object({
  id: text(),
  type: text("Of its items."),
  capacity: COUNT,
  length: COUNT,
  dropped: { ...COUNT, description: "Items that came after all consumers had finished." },
});

export const TOPOLOGY_SCHEMA: Schema = object({
  units: list(UNIT_SCHEMA),
  connectors: list(CONNECTOR_SCHEMA),
});

export const SETTING_SCHEMA: Schema = object({
  key: text("Dotted, such as `fetch.maxBody`."),
  meaning: text(),
  legal: text("The legal values, in words."),
  default: text("As in a file."),
  value: text("As in a file."),
  live: { ...FLAG, description: "Whether a change takes effect without making the unit anew." },
});

export const METRICS_SCHEMA: Schema = METRICS;
