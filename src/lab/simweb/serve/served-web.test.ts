import assert from "node:assert/strict";
import { promises } from "node:dns";
import { request } from "node:http";
import { test } from "node:test";
import { askRaw, get } from "../../../../test/support/fetch/raw-client.ts";
import { TableTruth } from "../../../../test/support/lab/table-truth.ts";
import { TableWeb } from "../../../../test/support/lab/table-web.ts";
import { SystemClock } from "../../../base/time/index.ts";
import { DEFAULT_RULES } from "../verdict/verdict-rules.ts";
import { logLines } from "./log-lines.ts";
import { ServedWeb } from "./served-web.ts";

const TRUTH = new TableTruth({ "a.example/": { depth: 0 } });

async function open(ports: {
  readonly port?: number;
  readonly dnsPort?: number;
  readonly controlPort?: number;
}): Promise<ServedWeb<TableWeb>> {
  return await ServedWeb.open({
    clock: new SystemClock(),
    port: 0,
    dnsPort: 0,
    controlPort: 0,
    ...ports,
    makeWeb: (port) =>
      new TableWeb({
        "a.example": { addresses: ["127.0.20.1"], pages: { "/": { body: `at port ${port}` } } },
      }),
    truthFor: () => ({ ok: true, truth: TRUTH, summary: { due: TRUTH.dueCount } }),
    rules: DEFAULT_RULES,
  });
}

/** Status and body of the control port's answer. */
function control(
  port: number,
  line: string,
  body = "",
): Promise<{ readonly status: number; readonly text: string }> {
  const [method, path] = line.split(" ");
  const headers = { "Content-Type": "application/json" };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

test("a web is served, resolved, judged and stopped over its ports", async () => {
  const web = await open({});
  const resolver = new promises.Resolver();
  resolver.setServers([`127.0.0.1:${web.dnsPort}`]);
  const [address = ""] = await resolver.resolve4("a.example");
  const isEnough = (text: string): boolean => text.endsWith(`at port ${web.port}`);
  for (const target of ["/robots.txt", "/"]) {
    const question = { port: web.port, address, text: get("a.example", target) };
    await askRaw({ ...question, isEnough: target === "/" ? isEnough : (text) => text !== "" });
  }
  const verdict = await control(
    web.controlPort,
    "POST /verdict",
    '{"rules":{"hostDelayMs":0,"addressDelayMs":0}}',
  );
  assert.equal(verdict.status, 200);
  assert.equal(JSON.parse(verdict.text).clean, true, verdict.text);
  const stats = JSON.parse((await control(web.controlPort, "GET /stats")).text);
  assert.deepEqual([stats.server.requests, stats.names.answered], [2, 1]);
  const log = await control(web.controlPort, "GET /log");
  assert.equal(log.text.trim().split("\n").length, 2);
  assert.equal((await control(web.controlPort, "POST /stop", "{}")).status, 200);
  await web.stopAsked;
  await web.close();
  await assert.rejects(control(web.controlPort, "GET /stats"));
});

test("a body that is too long is refused", async () => {
  const web = await open({});
  const { status } = await control(web.controlPort, "POST /verdict", " ".repeat(17 * 1024 * 1024));
  assert.equal(status, 413);
  await web.close();
});

test("when one port is taken nothing stays open", async () => {
  const first = await open({});
  for (const taken of ["port", "dnsPort", "controlPort"] as const) {
    const flag = { port: "--port", dnsPort: "--dns-port", controlPort: "--control-port" }[taken];
    await assert.rejects(open({ [taken]: first[taken] }), {
      code: "SIMWEB_LISTEN_FAILED",
      message: new RegExp(flag),
    });
  }
  await first.close();
});

test("a small web is reachable at its addresses without asking for names", async () => {
  const web = await open({});
  const isEnough = (text: string): boolean => text.endsWith(`at port ${web.port}`);
  const question = { port: web.port, address: "127.0.20.1", text: get("a.example", "/"), isEnough };
  assert.equal((await askRaw(question)).ending, "enough");
  const [lines = ""] = logLines(web.server.log);
  assert.equal(JSON.parse(lines).target, "/");
  await web.close();
});
