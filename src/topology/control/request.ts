/**
 * The operations on a running topology, and the form of a request for each. Whatever comes from outside
 * is read here, so that the rest can rely on its form.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { nearestName, printable } from "../../base/text/index.ts";

export type Request =
  /** Units with their states and metrics, and connectors. */
  | { readonly do: "list" }
  /** The settings of a unit, each with its type, default and value. */
  | { readonly do: "settings"; readonly id: string }
  /** New values by key, written as in a file; the unit takes them at once, or is made anew. */
  | {
      readonly do: "change";
      readonly id: string;
      readonly values: Readonly<Record<string, string>>;
    }
  | { readonly do: "suspend" | "resume" | "remove"; readonly id: string }
  | { readonly do: "instances"; readonly id: string; readonly count: number }
  /** A topology file in YAML: its units are added, and may be bound to what runs. */
  | { readonly do: "add"; readonly topology: string }
  /** A topology file with one provider or connector, to take the place of that which has its id. */
  | { readonly do: "swap"; readonly topology: string };

type Form = "text" | "count" | "texts";

const FORMS: Readonly<Record<Request["do"], Readonly<Record<string, Form>>>> = {
  list: {},
  settings: { id: "text" },
  change: { id: "text", values: "texts" },
  suspend: { id: "text" },
  resume: { id: "text" },
  remove: { id: "text" },
  instances: { id: "text", count: "count" },
  add: { topology: "text" },
  swap: { topology: "text" },
};

const MEANING: Readonly<Record<Form, string>> = {
  text: "a text",
  count: "a whole number",
  texts: "an object of texts",
};

/** Refuses what is not a request, with all that is wrong with it. */
export function readRequest(given: unknown): Request {
  const fields = isObject(given) ? new Map(Object.entries(given)) : new Map<string, unknown>();
  const operation = fields.get("do");
  const operations = Object.keys(FORMS);
  const name = operations.find((one) => one === operation);
  if (name === undefined) {
    const written = typeof operation === "string" ? printable(operation.slice(0, 80)) : null;
    const nearest = written === null ? null : nearestName(written, operations);
    const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
    throw malformed([`do must be one of ${operations.join(", ")}${hint}`]);
  }
  const forms = new Map(Object.entries(FORMS[name as Request["do"]]));
  const mistakes = [...forms].flatMap(([field, form]) =>
    hasForm(fields.get(field), form) ? [] : [`${field} must be ${MEANING[form]}`],
  );
  for (const field of fields.keys()) {
    if (field !== "do" && !forms.has(field)) {
      mistakes.push(`${name} has no ${printable(field.slice(0, 80))}`);
    }
  }
  if (mistakes.length > 0) throw malformed(mistakes);
  // Every field has just been found to have its form.
  return given as Request;
}

function hasForm(value: unknown, form: Form): boolean {
  if (form === "text") return typeof value === "string";
  if (form === "count") return Number.isSafeInteger(value);
  return isObject(value) && Object.values(value).every((one) => typeof one === "string");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(mistakes: readonly string[]): CrawlError {
  const why = mistakes.join("; ");
  return new CrawlError("TOPOLOGY_REFUSED", `The request is not understood: ${why}.`, { why });
}
