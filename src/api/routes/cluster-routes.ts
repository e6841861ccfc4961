/** The agents that share the crawl: who they are, and who of them leaves or is given up. */
import {
  COUNT,
  choice,
  FLAG,
  list,
  NUMBER,
  nullable,
  object,
  type Schema,
  table,
  text,
} from "../description/schema.ts";
import type { Route } from "./route.ts";
import { MISSING_SCHEMA } from "./summary-schema.ts";

const ID_LENGTH_MAX = 64;

const BYTES: Schema = { ...COUNT, description: "Bytes." };

const STATUS_SCHEMA: Schema = object({
  state: text("Of its life among the others, such as `joining`, `active` or `leaving`."),
  idle: { ...FLAG, description: "Whether it has nothing to do." },
  ...{ pages: COUNT, urls: COUNT, queued: COUNT },
  pending: { ...COUNT, description: "URLs that others have not acknowledged yet." },
  lagSeconds: { ...NUMBER, description: "How long the oldest of them waits." },
  retainedBytes: { ...BYTES, description: "What is kept of those that are acknowledged." },
  told: { ...COUNT, description: "URLs that it has told others." },
  sent: { ...COUNT, description: "Messages that it has sent since it was started." },
  claims: { ...COUNT, description: "URLs of which another agent says to have the page." },
  dropped: table(COUNT, "Messages that were not taken, by reason."),
  view: text("Equal at agents that agree on who is there."),
});

const MEMBER_SCHEMA: Schema = object({
  agent: text(),
  generation: { ...COUNT, description: "Identifies its disk." },
  self: { ...FLAG, description: "Whether it is the one that answers." },
  state: choice("joining", "active", "leaving"),
  standing: choice("alive", "suspect", "dead", "given-up"),
  silentSeconds: {
    type: ["number", "null"],
    description: "How long nothing was heard of it; null if nothing ever was.",
  },
  capacity: NUMBER,
  share: { ...NUMBER, description: "Its part of all hosts, from 0 to 1." },
  inRing: FLAG,
  full: { ...FLAG, description: "Whether its disk is." },
  status: { anyOf: [STATUS_SCHEMA, { type: "null" }] },
});

const CLUSTER_SCHEMA: Schema = object({
  agent: nullable(text("The one that answers; null for a crawl that is alone.")),
  views: { ...COUNT, description: "How many views differ of those who answered; 1 if all agree." },
  members: list(MEMBER_SCHEMA),
  missing: MISSING_SCHEMA,
  refused: table(COUNT, "Connections that the server of this agent refused, by reason."),
});

const AGENT: Schema = text("The id of an agent.", { minLength: 1, maxLength: ID_LENGTH_MAX });

type ClusterBody =
  | { readonly action: "leave" }
  | { readonly action: "forget"; readonly agent: string };

export const CLUSTER_ROUTES: readonly Route[] = [
  {
    ...{ method: "GET", path: "/cluster", id: "cluster", access: "read" },
    summary:
      "The agents that share the crawl, as this one sees them, and what each says of itself.",
    replies: {
      200: {
        meaning: "All agents that are known; none for a crawl that is alone.",
        schema: CLUSTER_SCHEMA,
      },
    },
    handle: async ({ control }) => ({ status: 200, body: await control.cluster() }),
  },
  {
    ...{ method: "POST", path: "/cluster", id: "changeCluster", access: "write" },
    summary: "Takes this agent out after handing over, or gives up one that is dead.",
    body: {
      schema: {
        anyOf: [
          object({ action: choice("leave") }),
          object({ action: choice("forget"), agent: AGENT }),
        ],
      },
      example: { action: "forget", agent: "agent-3" },
    },
    replies: {
      200: {
        meaning: "It has begun to leave; or how many agents have given the other up.",
        schema: {
          anyOf: [object({ leaving: text() }), object({ forgotten: text(), agents: COUNT })],
        },
      },
      409: { meaning: "It is refused, and nothing is changed.", schema: null },
    },
    handle: async ({ control, body }) => {
      const asked = body as ClusterBody;
      if (asked.action === "forget") {
        const agents = await control.forget(asked.agent);
        return { status: 200, body: { forgotten: asked.agent, agents } };
      }
      await control.leave();
      const { agent } = await control.cluster();
      return { status: 200, body: { leaving: agent ?? "" } };
    },
  },
];
