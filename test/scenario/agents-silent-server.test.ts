/** Agents whose NATS server takes connections and says nothing, from the beginning or from some time on: they end. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { type CrawledWeb, type Hosts, withWeb } from "../support/agent/crawl-rig.ts";
import { NatsServer } from "../support/base/nats-server.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";
import { needsProgram } from "../support/requirement.ts";
import { AgentProcesses, localFlags, QUICK } from "./agent-processes.ts";

const skip = needsProgram("nats-server");
const HOSTS: Hosts = () => ({ "a.test": { pages: { "/": { body: "a page" } } } });

async function withAgents(use: (agents: AgentProcesses, web: CrawledWeb) => Promise<void>) {
  await withWeb(HOSTS, async (web) => {
    const agents = new AgentProcesses(web.folder, localFlags(web.flags));
    try {
      await use(agents, web);
    } finally {
      agents.close();
    }
  });
}

test("an agent whose existing server never speaks says so and ends", async () => {
  const server = createServer((socket) => socket.on("error", () => undefined).resume());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await withAgents(async (agents, web) => {
    const flags = [...web.flags, "--nats", `nats://127.0.0.1:${port}`];
    const agent = agents.start("a", [...flags, web.url("a.test/")]);
    assert.equal(await agent.end(), 1, agent.stderr);
    assert.match(agent.stderr, /TRANSPORT_CONNECT_FAILED|No NATS server at 127\.0\.0\.1/);
  });
  server.close();
});

test("an agent whose existing server is stopped can be interrupted", { skip }, async () => {
  const server = await NatsServer.start();
  await withAgents(async (agents, web) => {
    const flags = [...QUICK, ...web.flags, "--nats", server.url, "--stay"];
    const agent = agents.start("a", [...flags, web.url("a.test/")]);
    await agent.said('"started"');
    server.suspend();
    await agent.said('"disconnected"');
    agent.kill("SIGTERM");
    await agent.ended(130);
  });
  await server.stop();
});

test("an agent whose own server is stopped ends when it is interrupted, and takes it along", {
  skip,
}, async () => {
  await withAgents(async (agents, web) => {
    const agent = agents.start("a", [...QUICK, ...web.flags, "--stay", web.url("a.test/")]);
    await agent.said('"started"');
    const server = serverOf(agents, "a");
    process.kill(server, "SIGSTOP");
    agent.kill("SIGTERM");
    await agent.ended(130);
    assert.ok(!isRunning(server), "its server is left");
  });
});

test("an agent whose own server is stopped replaces it, and leaves when it is asked to", {
  skip,
}, async () => {
  await withAgents(async (agents, web) => {
    const flags = [...QUICK, ...web.flags, "--stay"];
    const [first, second] = await agents.startAll(["a", "b"], [...flags, web.url("a.test/")]);
    assert.ok(first !== undefined && second !== undefined);
    await Promise.all([first.said('"started"'), second.said('"started"')]);
    process.kill(serverOf(agents, "b"), "SIGSTOP");
    const asked = new TrobarProcess(["leave", "-o", agents.folderOf("b")], agents.environment);
    assert.equal(await asked.end(), 0, asked.stderr);
    await second.ended(130);
    assert.match(second.stderr, /"server-hung"/);
    first.kill("SIGTERM");
    await first.ended(130);
  });
});

/** By the system: one that nobody has waited for is gone too. */
function isRunning(id: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}

function serverOf(agents: AgentProcesses, id: string): number {
  return Number(readFileSync(join(agents.folderOf(id), "mesh", "server.pid"), "utf8"));
}
