/**
 * The HTTP interface of a running crawl. It listens before the crawl is opened, so that an address that
 * cannot be had ends the command before anything is touched, and answers from when it is given the
 * crawl's control until it is closed.
 */
import type { ControlledCrawl } from "../../agent/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { printable } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { PREFIX } from "../description/open-api.ts";
import { problemsOf, type Schema } from "../description/schema.ts";
import { findRoute } from "../routes/find-route.ts";
import type { Asked, Parameter, Reply, Route } from "../routes/route.ts";
import { ROUTES } from "../routes/routes.ts";
import { Access, type Caller, isLoopback } from "./access.ts";
import { announce, type WrittenPlace, withdraw } from "./api-files.ts";
import { asCrawlError, badRequest, refusalOf } from "./api-refusal.ts";
import { EventStream } from "./event-stream.ts";
import { HttpListener, type HttpRequest, type HttpResponse } from "./http-listener.ts";
import { readJson } from "./request-body.ts";
import { type Role, Tokens } from "./tokens.ts";

/** No answer is stored, framed, run as a script or taken for another type. */
const HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

type Streamed = Extract<Reply, { readonly listen: unknown }>;
type Listen = Streamed["listen"];

/** What is learnt of a request while it is answered. */
interface Visit {
  who: Role | null;
  what: string | null;
}

export interface ApiServerOptions {
  readonly settings: Configuration["api"];
  readonly clock: Clock;
}

export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #tokens: Tokens;
  readonly #access: Access;
  #listener: HttpListener | null = null;
  #control: ControlledCrawl | null = null;
  #place: WrittenPlace | null = null;
  /** Of events. */
  readonly #streams = new Set<HttpResponse>();

  private constructor(options: ApiServerOptions) {
    const { settings, clock } = options;
    this.#options = options;
    this.#tokens = new Tokens(settings);
    this.#access = new Access({
      ...{ clock, tokens: this.#tokens, host: settings.host },
      scheme: settings.tls === null ? "http" : "https",
    });
  }

  /** Rejects with an `API_…` error if the settings cannot be followed. */
  static async listen(options: ApiServerOptions): Promise<ApiServer> {
    const { settings } = options;
    if (!isLoopback(settings.host) && settings.token === "auto") throw tokenNeeded(settings.host);
    const server = new ApiServer(options);
    server.#listener = await HttpListener.open(settings, (request, response) => {
      void server.#answer(request, response);
    });
    return server;
  }

  get port(): number {
    return this.#listener?.port ?? 0;
  }

  /** Answers from now on, and says in the crawl directory where. */
  serve(control: ControlledCrawl, folder: string): void {
    const { settings } = this.#options;
    this.#place = announce(folder, { settings, port: this.port, token: this.#tokens.made });
    this.#control = control;
  }

  async close(): Promise<void> {
    if (this.#place !== null) withdraw(this.#place);
    await this.#control?.close();
    for (const stream of this.#streams) stream.end();
    await this.#listener?.close();
  }

  async #answer(request: HttpRequest, response: HttpResponse): Promise<void> {
    const visit: Visit = { who: null, what: null };
    const { method = "", url = "", socket } = request;
    const did = `${method} ${url}`;
    try {
      const reply = await this.#reply(request, visit);
      this.#note(did, socket.remoteAddress, visit, reply.status);
      if ("listen" in reply) this.#stream(response, reply.listen);
      else send(response, reply);
    } catch (thrown) {
      const error = asCrawlError(thrown, printable(did));
      if (error.code === "INTERNAL_API") this.#control?.fault(error);
      const { status, body } = refusalOf(error);
      this.#note(did, socket.remoteAddress, visit, status);
      // Nobody waits for the rest of a body that is not wanted.
      send(response, { status, body }, { ...headersOf(error), Connection: "close" });
    }
  }

  /** Questions that were answered are not kept; nor are those to a crawl that is not there yet. */
  #note(did: string, address: string | undefined, { who, what }: Visit, status: number): void {
    const isQuestion = did.startsWith("GET ") && who !== null;
    const isOpen = did.startsWith(`GET ${PREFIX}/health`) && status < 400;
    if (isQuestion || isOpen) return;
    this.#control?.note({ ...{ who, what, did, status }, from: address ?? "" });
  }

  #stream(response: HttpResponse, listen: Listen): void {
    if (response.destroyed) return;
    response.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream" });
    const events = new EventStream(response, this.#options.clock);
    const end = listen((kind, data) => events.send(kind, data));
    this.#streams.add(response);
    response.on("close", () => {
      this.#streams.delete(response);
      end();
    });
  }

  async #reply(request: HttpRequest, visit: Visit): Promise<Reply> {
    const { method = "", url = "", headers, socket } = request;
    const caller: Caller = { headers, address: socket.remoteAddress ?? "" };
    const [path = "", search = ""] = url.split(/\?(.*)/s);
    const below = path.startsWith(`${PREFIX}/`) ? path.slice(PREFIX.length) : "";
    const found = findRoute(ROUTES, method, below);
    if (found.kind !== "found") {
      // Only those who may ask are told what there is.
      this.#access.check(caller, { access: "read" }, visit);
      throw found.kind === "absent" ? notFound(path) : notAllowed(found.allowed);
    }
    const { route } = found;
    this.#access.check(caller, route, visit);
    if (visit.who !== null) this.#listener?.trust(request);
    const query = queryOf(route, search);
    const body = route.body === undefined ? undefined : await readJson(request);
    visit.what = body === undefined ? null : JSON.stringify(body);
    const problems = [
      ...parameterProblems(route.parameters, found.path, "the path's"),
      ...(route.body === undefined ? [] : problemsOf(route.body.schema, body)),
    ];
    if (problems.length > 0) throw badRequest(problems);
    if (this.#control === null) throw notReady();
    const asked: Asked = { control: this.#control, path: found.path, query, body };
    return await route.handle(asked);
  }
}

function send(response: HttpResponse, reply: Exclude<Reply, Streamed>, more: object = {}): void {
  if (response.destroyed || response.headersSent) return;
  const {
    bytes,
    type,
    headers = {},
  } = "bytes" in reply
    ? reply
    : { bytes: Buffer.from(JSON.stringify(reply.body)), type: "application/json" };
  response.writeHead(reply.status, {
    ...HEADERS,
    ...headers,
    ...more,
    "Content-Type": type,
    "Content-Length": bytes.length,
  });
  response.end(bytes);
}

/** Every parameter once, known and of its form. */
function queryOf(route: Route, search: string): Readonly<Record<string, string>> {
  const parameters = route.query ?? {};
  const query: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    const shown = JSON.stringify(name.slice(0, 80));
    if (!Object.hasOwn(parameters, name)) problems.push(`there is no parameter ${shown}`);
    else if (Object.hasOwn(query, name)) problems.push(`the parameter ${shown} is given twice`);
    else query[name] = value;
  }
  problems.push(...parameterProblems(parameters, query, "the parameter"));
  if (problems.length > 0) throw badRequest(problems);
  return query;
}

function parameterProblems(
  parameters: Readonly<Record<string, Parameter>> = {},
  given: Readonly<Record<string, string>>,
  where: string,
): string[] {
  return Object.entries(parameters).flatMap(([name, { schema, isRequired }]) => {
    const text = given[name];
    if (text === undefined) return isRequired === true ? [`${where} ${name} is missing`] : [];
    return problemsOf(schema, asTyped(text, schema), `${where} ${name}`);
  });
}

/** A number where one is wanted; what is not one stays a text, and is refused as that. */
function asTyped(text: string, { type }: Schema): string | number {
  return type === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function headersOf({ code, facts }: CrawlError): Record<string, string> {
  if (code === "API_UNAUTHORIZED") return { "WWW-Authenticate": "Bearer" };
  if (code === "API_TOO_MANY_TRIES") return { "Retry-After": "60" };
  return code === "API_METHOD_NOT_ALLOWED" ? { Allow: String(facts["allowed"]) } : {};
}

function notFound(path: string): CrawlError {
  return new CrawlError("API_NOT_FOUND", `There is nothing at ${printable(path.slice(0, 200))}.`);
}

function notAllowed(methods: readonly string[]): CrawlError {
  const allowed = methods.join(", ");
  const message = `This path is for ${allowed} only.`;
  return new CrawlError("API_METHOD_NOT_ALLOWED", message, { allowed });
}

function notReady(): CrawlError {
  return new CrawlError("API_NOT_READY", "The crawl is still being opened.");
}

function tokenNeeded(host: string): CrawlError {
  return new CrawlError(
    "API_TOKEN_NEEDED",
    `api.host is ${printable(host)}, which other machines can reach, and api.token names no file. ` +
      "Write a token of your own into a file and name that by api.token, or leave api.host out.",
  );
}
