import assert from "node:assert/strict";
import { test } from "node:test";
import { TableTruth } from "../../../../test/support/lab/table-truth.ts";
import { TableWeb } from "../../../../test/support/lab/table-web.ts";
import { DEFAULT_RULES } from "../verdict/verdict-rules.ts";
import { AccessLog } from "./access-log.ts";
import { Control, type ControlAnswer, type ControlRequest, type TruthReading } from "./control.ts";

const PORT = 4711;
const WEB = new TableWeb({ "a.example": {} });

interface Scene {
  readonly control: Control;
  readonly log: AccessLog;
  stops: number;
}

function scene(): Scene {
  const log = new AccessLog();
  const made: Scene = {
    log,
    stops: 0,
    control: new Control({
      web: WEB,
      log,
      truthFor: ({ depth, ...others }): TruthReading => {
        const mistakes = Object.keys(others).map((name) => `${name} is unknown`);
        if (mistakes.length > 0) return { ok: false, mistakes };
        const page = typeof depth === "number" ? "a.example/deep" : "a.example/";
        return { ok: true, truth: new TableTruth({ [page]: { depth: 0 } }), summary: { due: 1 } };
      },
      rules: { ...DEFAULT_RULES, hostDelayMs: 7 },
      stats: () => ({ requests: log.size }),
      stop: () => {
        made.stops += 1;
      },
    }),
  };
  return made;
}

function ask(
  { control }: Scene,
  question: string,
  rest: Partial<ControlRequest> & { readonly json?: unknown } = {},
): ControlAnswer {
  const [method = "", target = ""] = question.split(" ");
  const { json, ...request } = rest;
  const body = request.body ?? Buffer.from(JSON.stringify(json ?? {}));
  const type = method === "POST" ? { "content-type": "application/json" } : {};
  const headers = { host: `127.0.0.1:${PORT}`, ...type, ...request.headers };
  return control.answer({ method, target, headers, body }, PORT);
}

function textOf({ body }: ControlAnswer): string {
  return typeof body === "string" ? body : [...body].join("");
}

test("the verdict comes as JSON or as text, for the rules that were set or are sent", () => {
  const s = scene();
  const verdict = JSON.parse(textOf(ask(s, "GET /verdict")));
  assert.deepEqual([verdict.coverage, verdict.clean], [0, false]);
  assert.match(textOf(ask(s, "GET /verdict?text")), /^Verdict: 1 kind of sin/);
  const other = ask(s, "POST /verdict", { json: { crawl: { depth: 3 }, rules: { pagesMax: 0 } } });
  assert.equal(JSON.parse(textOf(other)).clean, true);
});

test("truth, figures and help are answered", () => {
  const s = scene();
  assert.deepEqual(JSON.parse(textOf(ask(s, "GET /truth"))), { due: 1 });
  assert.deepEqual(JSON.parse(textOf(ask(s, "POST /truth", { json: { crawl: { depth: 1 } } }))), {
    due: 1,
  });
  assert.deepEqual(JSON.parse(textOf(ask(s, "GET /stats"))), { requests: 0 });
  assert.match(textOf(ask(s, "GET /")), /POST \/stop/);
});

test("the log comes as JSON lines, from a row on", () => {
  const s = scene();
  const row = { host: "a.example", address: "127.0.0.1", target: "/", method: "GET" };
  for (let index = 0; index < 2500; index += 1) {
    s.log.begin({ ...row, userAgent: "T", connection: 0, startMs: index + 0.12345 });
  }
  const lines = textOf(ask(s, "GET /log?from=500")).trim().split("\n");
  assert.equal(lines.length, 2000);
  assert.deepEqual(JSON.parse(lines[0] ?? ""), {
    row: 500,
    startMs: 500.123,
    endMs: null,
    ...row,
    connection: 0,
    userAgent: "T",
    status: 0,
    bytesSent: 0,
    ending: "open",
    robots: false,
  });
  assert.equal(ask(s, "GET /log?from=-1").status, 400);
  assert.equal(ask(s, "GET /log?from=x").status, 400);
  assert.equal(textOf(ask(s, "GET /log?from=9999")), "");
});

test("only POST stops the server", () => {
  const s = scene();
  assert.equal(ask(s, "GET /stop").status, 404);
  assert.equal(s.stops, 0);
  assert.equal(ask(s, "POST /stop").status, 200);
  assert.equal(s.stops, 1);
});

const ALLOWED: readonly Readonly<Record<string, string>>[] = [
  { host: `localhost:${PORT}` },
  { host: `[::1]:${PORT}` },
  { host: `LOCALHOST:${PORT}` },
  { origin: `http://127.0.0.1:${PORT}` },
  { "sec-fetch-site": "same-origin" },
];

const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { host: "127.0.0.1" },
  { host: `evil.example:${PORT}` },
  { host: `127.0.0.1.evil.example:${PORT}` },
  { host: "localhost:80" },
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: `https://127.0.0.1:${PORT}` },
  { origin: "http://127.0.0.1:80" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];

test("only requests that name this port and do not come from another site are answered", () => {
  const s = scene();
  for (const headers of ALLOWED) assert.equal(ask(s, "POST /stop", { headers }).status, 200);
  const { stops } = s;
  for (const headers of FOREIGN) {
    assert.equal(ask(s, "POST /stop", { headers }).status, 403, JSON.stringify(headers));
    assert.equal(ask(s, "GET /log", { headers }).status, 403);
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
    assert.equal(ask(s, "POST /stop", { headers: { "content-type": type } }).status, 415);
  assert.equal(s.stops, stops);
});

test("everything wrong with a question is reported", () => {
  const s = scene();
  for (const body of ["", "[]", "null", "7", "{", '"x"']) {
    const answer = ask(s, "POST /verdict", { body: Buffer.from(body) });
    assert.equal(answer.status, 400, body);
  }
  const json = { crawl: { scop: 1, sead: 2 }, rules: { hostDelayMs: "x", nothing: 1 } };
  const answer = ask(s, "POST /verdict", { json });
  assert.equal(answer.status, 400);
  assert.equal(JSON.parse(textOf(answer)).mistakes.length, 4);
  const shape = ask(s, "POST /verdict", { json: { crawl: [], rules: 1, more: 2 } });
  assert.equal(JSON.parse(textOf(shape)).mistakes.length, 3);
  assert.equal(ask(s, "GET /nothing").status, 404);
  assert.equal(ask(s, "DELETE /log").status, 404);
});
