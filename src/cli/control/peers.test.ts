/** What `trobar peers` and `leave` make of what an agent says of the others. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { RecordedTerminal } from "../../../test/support/cli/recorded-terminal.ts";
import type { ControlledCrawl } from "../../agent/index.ts";
import { leave, peers } from "./peers.ts";

type Report = Awaited<ReturnType<ControlledCrawl["cluster"]>>;
type Member = Report["members"][number];

const STATUS: NonNullable<Member["status"]> = {
  ...{ state: "active", idle: false, pages: 3, urls: 9, queued: 6, pending: 0, lagSeconds: 0 },
  ...{ retainedBytes: 0, told: 0, sent: 0, claims: 0, dropped: {}, view: "v" },
};

function member(agent: string, more: Partial<Member> = {}): Member {
  return {
    ...{ agent, generation: 1, self: agent === "a", state: "active", standing: "alive" },
    ...{ silentSeconds: agent === "a" ? 0 : 90, capacity: 1, share: 0.5, inRing: true },
    ...{ full: false, status: STATUS },
    ...more,
  };
}

function report(other: Partial<Member> = {}, more: Partial<Report> = {}): Report {
  const members = [member("a"), member("b", other)];
  return { agent: "a", views: 1, members, missing: [], refused: {}, ...more };
}

/** Runs a command against an agent that says these one after another, and goes when it is told to leave. */
async function said(
  command: typeof peers,
  flags: readonly string[],
  reports: readonly Report[],
): Promise<{ readonly text: string; readonly asked: number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    const isOrder = request.method === "POST";
    if (isOrder) server.close();
    const isReport = request.url?.endsWith("/cluster") === true && !isOrder;
    if (isReport) asked += 1;
    const answer = isReport ? reports[Math.min(asked, reports.length) - 1] : { leaving: "a" };
    response.writeHead(200, { "Content-Type": "application/json", Connection: "close" });
    response.end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const terminal = new RecordedTerminal();
  const code = await command([...flags, "--api", `http://127.0.0.1:${port}`], terminal);
  server.close();
  assert.equal(code, 0, terminal.said);
  return { text: terminal.written, asked };
}

test("agents are waited for until they are in the ring, all have answered, and all agree", async () => {
  const missing = [{ agent: "b", why: "timed-out" }] as const;
  const faulty = [report({ inRing: false }), report({}, { missing }), report({}, { views: 2 })];
  const { asked } = await said(peers, ["--wait", "2"], [...faulty, report()]);
  assert.equal(asked, faulty.length + 1);
});

test("the table says for how long others were not heard", async () => {
  const { text } = await said(peers, [], [report()]);
  assert.match(text, /^a +active +50 % .* this one$/m);
  assert.match(text, /^b +active +50 % .* 1m ?30s ago$/m);
});

test("who leaves while nobody but the dead is there keeps its part", async () => {
  const nobody = await said(leave, [], [report({ standing: "dead", status: null })]);
  assert.match(nobody.text, /nobody was there/);
  const others = await said(leave, [], [report()]);
  assert.match(others.text, /the others go on/);
});
