/**
 * The description of the API as an OpenAPI 3.1 document, made from the table of routes: what the server
 * checks and what it says about itself cannot differ.
 */
import { version } from "../../base/package/index.ts";
import type { Parameter, ReplyDescription, Route } from "../routes/route.ts";
import { REFUSAL_SCHEMA } from "./refusal-schema.ts";
import type { Schema } from "./schema.ts";

/** What all paths of the API begin with. */
export const PREFIX = "/api/v1";

/** Refusals that routes have in common. */
const ANYWHERE: Readonly<Record<number, string>> = {
  400: "The request is not well formed, or asks for what cannot be.",
  408: "The request did not arrive in time.",
  421: "The request names another host.",
  431: "The headers are too long.",
  500: "A fault of Trobar, or of its disk; the message says which.",
  503: "The crawl is not ready, or too busy to answer.",
};
const WITH_TOKEN: Readonly<Record<number, string>> = {
  401: "The token is missing or wrong.",
  403: "The token may only read, or the request comes from another site.",
  429: "Too many wrong tokens came from this address.",
};
const OPEN: Readonly<Record<number, string>> = {
  403: "The request comes from another site.",
};
const WITH_BODY: Readonly<Record<number, string>> = {
  409: "The crawl has ended, or the change was refused; nothing is changed.",
  413: "The body is too large.",
  415: "The body is not JSON.",
};

/** All statuses that a route may answer with, each with its meaning. */
export function repliesOf(route: Route): Readonly<Record<number, ReplyDescription>> {
  const common = {
    ...ANYWHERE,
    ...(route.access === "open" ? OPEN : WITH_TOKEN),
    ...(route.body === undefined ? {} : WITH_BODY),
  };
  const refusals = Object.entries(common).map(([status, meaning]) => {
    return [status, { meaning, schema: null }] as const;
  });
  return { ...Object.fromEntries(refusals), ...route.replies };
}

export function openApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    const path = paths[route.path] as Record<string, object>;
    path[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Trobar",
      version: version(),
      description: "What can be asked of a running crawl and done to it.",
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: PREFIX }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          ...{ type: "http", scheme: "bearer" },
          description: "The token in the file that `api.json` of the crawl directory names.",
        },
      },
      schemas: { Refusal: REFUSAL_SCHEMA },
    },
  };
}

function operationOf(route: Route): object {
  const { id, summary, access, body, parameters = {}, query = {} } = route;
  const responses = Object.entries(repliesOf(route)).map(([status, { meaning, schema, type }]) => {
    const content =
      schema === null
        ? { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } }
        : { [type ?? "application/json"]: { schema } };
    return [status, { description: meaning, content }] as const;
  });
  return {
    ...{ operationId: id, summary },
    ...(access === "open" ? { security: [] } : {}),
    parameters: [...parametersOf(parameters, "path"), ...parametersOf(query, "query")],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: body.schema, example: body.example } },
          },
        }),
    responses: Object.fromEntries(responses),
  };
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: string;
}

function parametersOf(
  parameters: Readonly<Record<string, Parameter>>,
  where: "path" | "query",
): DescribedParameter[] {
  return Object.entries(parameters).map(([name, { meaning, schema, isRequired, example }]) => ({
    ...{ name, in: where, description: meaning, required: isRequired === true, schema, example },
  }));
}
