/** The pages of the crawl, their content, their links, and why a URL is or is not among them. */
import { printable, quoted } from "../../base/text/index.ts";
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
import { badRequest } from "../server/api-refusal.ts";
import { AFTER, absent, LIMIT, limitOf, URL_LENGTH_MAX, URL_TEXT } from "./parameters.ts";
import type { Asked, Parameter, Reply, Route } from "./route.ts";
import { MISSING_SCHEMA } from "./summary-schema.ts";

/** Of an expression. */
const FILTER_LENGTH_MAX = 8192;

const WORD: Schema = nullable(text());

const LINK_SCHEMA: Schema = object({ url: text(), kind: text(), rel: text(), text: text() });

/** What pages have that was asked for besides. */
const TEXT_FIELDS: Readonly<Record<string, Schema>> = {
  text: WORD,
  links: nullable(list(LINK_SCHEMA)),
  ...{ description: WORD, canonical: WORD, published: WORD, modified: WORD },
  alternates: list(object({ url: text(), language: text(), type: text() })),
  types: list(text()),
  words: { type: "object", additionalProperties: COUNT },
};

const PAGE_SCHEMA: Schema = object(
  {
    url: text(),
    status: { ...COUNT, description: "0 if there was no answer; `error` then says why." },
    ...{ mime: WORD, charset: WORD, bytes: COUNT, depth: COUNT, via: WORD, title: WORD },
    ...{ language: WORD, fetchedAt: text(), digest: WORD, simhash: WORD, duplicateOf: WORD },
    ...{ nearDuplicateOf: WORD, redirectTo: WORD, truncated: WORD, error: WORD, warc: WORD },
    ...{ offset: nullable(COUNT), length: nullable(COUNT), requisite: FLAG },
    ...TEXT_FIELDS,
  },
  ["requisite", ...Object.keys(TEXT_FIELDS)],
);

const NO_PAGE = { meaning: "There is no such page.", schema: null };

const EXPLANATION_SCHEMA: Schema = object({
  url: text("As it is fetched."),
  key: text("What it is compared by."),
  state: choice(
    ...["fetched", "redirected", "failed", "fetching", "retrying", "queued", "refused", "unknown"],
  ),
  reason: text("A status, a code, a reason for a refusal, or `accepted`."),
  meaning: nullable(text("The reason in a sentence, for what was or would be refused.")),
  story: list({
    ...{ type: "object", required: ["at", "what"] },
    properties: { at: nullable(text("ISO 8601.")), what: text() },
  }),
});

const MISSING_MEANING =
  "`missing`, of a crawl of several agents, has those that did not answer, whose part is not here.";

const WISHES: Readonly<Record<string, Parameter>> = {
  text: {
    meaning: "Whether pages have their text.",
    schema: choice("true", "false"),
    example: "true",
  },
  links: {
    meaning: "Whether pages have their links.",
    schema: choice("true", "false"),
    example: "true",
  },
};

/** As `WISHES` say. */
function wishesOf({ query }: Asked): { text: boolean; links: boolean } {
  return { text: query["text"] === "true", links: query["links"] === "true" };
}

async function onePage(asked: Asked, url: string): Promise<Reply> {
  const page = await asked.control.pages.ask("page", { url, ...wishesOf(asked) });
  if (page === null) throw absent(`${quoted(url)} is not in this crawl.`);
  return { status: 200, body: { pages: [page], cursor: null } };
}

/** The name of a type may be anything that a server has sent. */
function typeHeader(mime: string | null): Readonly<Record<string, string>> {
  return mime === null
    ? {}
    : { "X-Archived-Type": printable(mime).replaceAll(/[^\x20-\x7e]/g, "?") };
}

export const PAGE_ROUTES: readonly Route[] = [
  {
    ...{ method: "GET", path: "/pages", id: "pages", access: "read" },
    summary: "The page with a URL, or pages whose URLs begin with a prefix, as they were fetched.",
    query: {
      url: { ...URL_TEXT, isRequired: false },
      prefix: {
        meaning:
          "The beginning of URLs; empty for all. An answer may have fewer pages than the limit, or none.",
        schema: { type: "string", maxLength: URL_LENGTH_MAX },
        example: "https://example.org/docs/",
      },
      filter: {
        meaning: "With a prefix: only pages that this filter accepts.",
        schema: { type: "string", minLength: 1, maxLength: FILTER_LENGTH_MAX },
        example: "StatusIs(200)",
      },
      ...WISHES,
      ...{ after: AFTER, limit: LIMIT },
    },
    replies: {
      200: {
        meaning: `Pages; \`cursor\` is null if there are no more now. With a prefix, \`cursors\` has what follows each page, and \`end\` where pages follow that come later; ${MISSING_MEANING}`,
        schema: object(
          {
            ...{ pages: list(PAGE_SCHEMA), cursor: nullable(text()) },
            ...{ cursors: list(text()), end: text(), missing: MISSING_SCHEMA },
          },
          ["cursors", "end", "missing"],
        ),
      },
      404: NO_PAGE,
    },
    handle: async (asked) => {
      const { url, prefix, filter = null, after = null, limit } = asked.query;
      if ((url === undefined) === (prefix === undefined)) {
        throw badRequest(["one of url and prefix must be given"]);
      }
      if (url !== undefined) return await onePage(asked, url);
      const which = { prefix: prefix ?? "", filter, ...wishesOf(asked) };
      const wanted = { ...which, after, limit: limitOf(limit) };
      return { status: 200, body: await asked.control.pages.ask("pages", wanted) };
    },
  },
  {
    ...{ method: "GET", path: "/pages/content", id: "content", access: "read" },
    summary: "The content of a page, decompressed. It comes as bytes, and is never shown or run.",
    query: { url: URL_TEXT },
    replies: {
      200: {
        meaning: "The bytes; the header X-Archived-Type has the type that the server gave.",
        ...{ schema: { type: "string" }, type: "application/octet-stream" },
      },
      404: NO_PAGE,
    },
    handle: async ({ control, query }) => {
      const { url = "" } = query;
      const { page, bytes } = await control.pages.ask("content", { url });
      const headers = { "Content-Disposition": "attachment", ...typeHeader(page.mime) };
      return { status: 200, bytes, type: "application/octet-stream", headers };
    },
  },
  {
    ...{ method: "GET", path: "/pages/answer", id: "answer", access: "read" },
    summary: "A page with the answer that was archived: its head, and its body as it was received.",
    query: { url: URL_TEXT },
    replies: {
      200: {
        meaning: "The body is in base64. What is not archived is null.",
        schema: object({
          page: PAGE_SCHEMA,
          statusLine: WORD,
          headers: nullable(list(list(text()))),
          body: WORD,
        }),
      },
      404: NO_PAGE,
    },
    handle: async ({ control, query }) => {
      const { url = "" } = query;
      const { page, answer } = await control.pages.ask("answer", { url });
      const { statusLine = null, headers = null, payload = null } = answer ?? {};
      const body = payload && Buffer.from(payload).toString("base64");
      return { status: 200, body: { page, statusLine, headers, body } };
    },
  },
  {
    ...{ method: "GET", path: "/links", id: "links", access: "read" },
    summary: "The links of a page, or those that lead to it.",
    query: {
      url: URL_TEXT,
      direction: {
        meaning: "`out` (unless given): its own. `in`: those that lead to it; `url` is the page.",
        schema: choice("in", "out"),
        example: "in",
      },
      ...{ after: AFTER, limit: LIMIT },
    },
    replies: {
      200: {
        meaning: `Links; \`cursor\` is null if there are no more now; ${MISSING_MEANING}`,
        schema: object(
          { links: list(LINK_SCHEMA), cursor: nullable(text()), missing: MISSING_SCHEMA },
          ["missing"],
        ),
      },
      404: NO_PAGE,
    },
    handle: async ({ control, query }) => {
      const { url = "", direction = "out", after = null } = query;
      const limit = limitOf(query["limit"]);
      const way = direction === "in" ? "in" : "out";
      const asked = { url, direction: way, after, limit } as const;
      return { status: 200, body: await control.pages.ask("links", asked) };
    },
  },
  {
    ...{ method: "GET", path: "/explain", id: "explain", access: "read" },
    summary: "What became of a URL and why; for one that was not met, what the rules would say.",
    query: { url: URL_TEXT },
    replies: { 200: { meaning: "Its story.", schema: EXPLANATION_SCHEMA } },
    handle: async ({ control, query }) => {
      const { url = "" } = query;
      const story = await control.explain(url);
      if (story === null) throw badRequest([`${quoted(url)} is not a URL that could be fetched`]);
      return { status: 200, body: story };
    },
  },
];
