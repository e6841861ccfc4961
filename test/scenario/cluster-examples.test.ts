/** The files of `examples/cluster`: they start agents that have all that an agent of a cluster needs. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, test } from "node:test";
import { GRACE_MS } from "../../src/agent/crawl/crawl-ending.ts";
import { openApi, PREFIX } from "../../src/api/description/open-api.ts";
import { ROUTES } from "../../src/api/routes/routes.ts";
import { parseDuration } from "../../src/base/units/index.ts";
import { parseCommandLine } from "../../src/cli/shell/arguments.ts";
import { COMMANDS } from "../../src/cli/shell/command-table.ts";
import { EXIT } from "../../src/cli/shell/exit-code.ts";
import { run } from "../../src/cli/shell/run.ts";
import { CONFIGURATION_SCHEMA } from "../../src/rules/config/index.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import {
  composeAgents,
  directive,
  FOLDER,
  kubernetes,
  kubernetesAgent,
  readCompose,
  readUnit,
  readVariables,
  type StartedAgent,
  type StatefulSet,
  systemdAgent,
  textOf,
} from "./cluster-files.ts";

const MESH_PORT = 4222;
/** What the nats-server of an agent may take to end. */
const MESH_STOP_MS = 2000;
const FILES_NEEDED = 100 + 3 * 500;
const { flags: AGENT_FLAGS } =
  COMMANDS.find(({ name }) => name === "agent") ?? assert.fail("no command agent");

const PODS = ["trobar-0", "trobar-1", "trobar-2"];
const CLUSTERS: Readonly<Record<string, readonly StartedAgent[]>> = {
  systemd: [systemdAgent("rack1-a", "founder.env"), systemdAgent("rack2-a", "joiner.env")],
  Compose: composeAgents(),
  Kubernetes: PODS.map((pod) => kubernetesAgent(pod, "trobar-0")),
};

type Values = Readonly<Record<string, { readonly value: unknown; readonly source: string }>>;

/** What the agent would run with, as the program itself reads it; files are those of the example. */
async function valuesOf({ args, environment }: StartedAgent): Promise<Values> {
  const [command, ...rest] = args.map((arg) => arg.replace(/^\/etc\/trobar\//, `${FOLDER}/`));
  assert.equal(command, "agent");
  const terminal = new RecordedTerminal({ environment });
  assert.equal(await run(["inspect", "config", "--json", ...rest], terminal), 0, terminal.written);
  return JSON.parse(terminal.written);
}

/** What follows each flag; null for one that stands alone. */
function flagsOf({ args }: StartedAgent): ReadonlyMap<string, string | null> {
  const { uses, words, mistakes } = parseCommandLine(args.slice(1), AGENT_FLAGS);
  assert.deepEqual([words, mistakes], [[], []]);
  return new Map(uses.map(({ flag, text }) => [flag.long, text]));
}

function assertEnoughGrace(graceMs: number): void {
  const checkpoint = CONFIGURATION_SCHEMA.keys.find(({ path }) => path === "store.checkpoint");
  const neededMs = GRACE_MS + Number(checkpoint?.key.default) + MESH_STOP_MS;
  assert.ok(neededMs > 15_000 && graceMs >= 2 * neededMs, `${graceMs} for ${neededMs} ms`);
}

/** A probe asks what every agent answers without a token, at its own port. */
function assertHealth(command: readonly string[], port: unknown): void {
  const url = new URL(command.at(-1) ?? "");
  assert.equal(url.host, `127.0.0.1:${port}`);
  const { paths } = openApi(ROUTES) as { readonly paths: Readonly<Record<string, object>> };
  const path = url.pathname.startsWith(PREFIX) ? url.pathname.slice(PREFIX.length) : "";
  assert.ok("get" in (paths[path] ?? {}), `the description has no ${url.pathname}`);
  const route = ROUTES.find((each) => each.method === "GET" && each.path === path);
  assert.equal(route?.access, "open");
}

for (const [kind, agents] of Object.entries(CLUSTERS)) {
  describe(`agents under ${kind}`, () => {
    test("are given flags and keys that the program knows, and a configuration without mistakes", async () => {
      assert.ok(agents.length >= 2);
      for (const agent of agents) {
        assert.ok(flagsOf(agent).size >= 3, agent.name);
        await valuesOf(agent);
      }
    });

    test("have an id of their own, a directory, a token and the port of the mesh", async () => {
      const ids = new Set<unknown>();
      for (const agent of agents) {
        const values = await valuesOf(agent);
        ids.add(values["cluster.id"]?.value);
        assert.match(String(values["cluster.listen"]?.value), new RegExp(`:${MESH_PORT}$`));
        assert.equal(basename(String(values["cluster.token"]?.value)), "join.token");
        assert.ok(flagsOf(agent).get("out")?.startsWith("/"), agent.name);
      }
      assert.equal(ids.size, agents.length);
      assert.ok(!ids.has(null));
    });

    test("are founded by the first, which all others join", async () => {
      const [founder = assert.fail(), ...joiners] = agents;
      const flags = flagsOf(founder);
      assert.equal(flags.get("expect"), "3");
      assert.ok(flags.has("seeds") && flags.has("config"));
      assert.deepEqual((await valuesOf(founder))["cluster.join"]?.value, []);
      for (const joiner of joiners) {
        const own = flagsOf(joiner);
        assert.ok(!own.has("seeds") && !own.has("config") && !own.has("expect"), joiner.name);
        const values = await valuesOf(joiner);
        const peers = values["cluster.join"]?.value as string[];
        assert.ok(peers.length >= 1);
        for (const peer of peers) assert.match(peer, new RegExp(`:${MESH_PORT}$`));
        assert.ok(!peers.some((peer) => peer.split(/[.:]/)[0] === values["cluster.id"]?.value));
      }
    });

    test("that join are given nothing that belongs to the whole crawl", async () => {
      const local = new Set(
        CONFIGURATION_SCHEMA.keys
          .filter(({ key }) => key.reach === "local")
          .map(({ path }) => path),
      );
      for (const joiner of agents.slice(1)) {
        const entries = Object.entries(await valuesOf(joiner));
        const given = entries.filter(([, { source }]) => source !== "default");
        assert.ok(given.length >= 4);
        assert.deepEqual(
          given.map(([path]) => path).filter((path) => !local.has(path)),
          [],
        );
      }
    });
  });
}

test("the unit of systemd stops an agent in order, and starts it again only where that helps", () => {
  const unit = readUnit(textOf("trobar@.service"));
  assert.equal(directive(unit, "KillSignal"), "SIGTERM");
  // Its nats-server must outlive it.
  assert.equal(directive(unit, "KillMode"), "mixed");
  const grace = parseDuration(directive(unit, "TimeoutStopSec"));
  assertEnoughGrace(grace.ok ? grace.value : 0);
  assert.equal(directive(unit, "Restart"), "on-failure");
  assert.equal(directive(unit, "SuccessExitStatus"), String(EXIT.interrupted));
  assert.deepEqual(directive(unit, "RestartPreventExitStatus").split(" ").map(Number), [
    EXIT.usage,
    EXIT.inUse,
    EXIT.nothingFetched,
  ]);
  assert.ok(Number(directive(unit, "LimitNOFILE")) >= FILES_NEEDED);
});

test("an instance of systemd's unit has a directory and variables by its name, and a token that it alone reads", () => {
  const unit = readUnit(textOf("trobar@.service"));
  const { args } = systemdAgent("rack1-a", "founder.env");
  assert.ok(args.join(" ").includes("--id rack1-a --out /var/lib/trobar/rack1-a/crawl"));
  assert.equal(directive(unit, "StateDirectory"), "trobar/%i");
  assert.equal(directive(unit, "EnvironmentFile"), "/etc/trobar/%i.env");
  assert.match(directive(unit, "LoadCredential"), /^join\.token:\//);
  assert.ok(args.includes("/run/credentials/join.token"));
  for (const file of ["founder.env", "joiner.env"]) {
    assert.ok(Object.hasOwn(readVariables(file), "FOUND"), file);
  }
});

test("services of Compose have a volume and an id each, and the time to end", () => {
  const { services, volumes, configs, secrets } = readCompose();
  assert.ok(Object.keys(services).length >= 3);
  const mounted = new Set<string>();
  for (const [name, service] of Object.entries(services)) {
    const [volume = "", path = ""] = service.volumes[0]?.split(":") ?? [];
    mounted.add(volume);
    assert.ok(Object.hasOwn(volumes, volume), volume);
    const agent = { name, args: service.command, environment: service.environment };
    assert.equal(dirname(flagsOf(agent).get("out") ?? ""), path);
    assert.equal(flagsOf(agent).get("id"), name);
    assert.deepEqual(service.expose, [String(MESH_PORT)]);
    assert.equal(service.stop_signal, "SIGTERM");
    const grace = parseDuration(service.stop_grace_period);
    assertEnoughGrace(grace.ok ? grace.value : 0);
    assert.match(service.restart, /^on-failure/);
    assert.ok(service.ulimits.nofile >= FILES_NEEDED);
    const [secret = ""] = service.secrets;
    assert.ok(Object.hasOwn(secrets, secret));
    assert.equal(service.environment["TROBAR_CLUSTER_TOKEN"], `/run/secrets/${secret}`);
    assertHealth(service.healthcheck.test, service.environment["TROBAR_API_PORT"]);
    for (const { source } of service.configs ?? []) {
      assert.ok(existsSync(`${FOLDER}/${configs[source]?.file}`), source);
    }
  }
  assert.equal(mounted.size, Object.keys(services).length);
});

test("pods of the StatefulSet have a volume each, probes that exist, and the time to end", () => {
  const { spec } = kubernetes<StatefulSet>("StatefulSet");
  const pod = spec.template.spec;
  assert.equal(spec.replicas, PODS.length);
  // In order, the first would have to be ready before those start for which it waits.
  assert.equal(spec.podManagementPolicy, "Parallel");
  assertEnoughGrace(pod.terminationGracePeriodSeconds * 1000);
  // Variables with the name of the service would be read as keys.
  assert.equal(pod.enableServiceLinks, false);
  const [container = assert.fail()] = pod.containers;
  const flags = flagsOf(CLUSTERS["Kubernetes"]?.[0] ?? assert.fail());
  const mountOf = (path: string) =>
    container.volumeMounts.find(({ mountPath }) => mountPath === dirname(path))?.name;
  assert.equal(mountOf(flags.get("out") ?? ""), spec.volumeClaimTemplates[0]?.metadata.name);
  const token = pod.volumes.find(({ name }) => name === mountOf(flags.get("token") ?? ""));
  assert.ok(token?.secret !== undefined, "the token is a secret");
  const seeds = pod.volumes.find(({ name }) => name === mountOf(flags.get("seeds") ?? ""));
  assert.ok(seeds?.configMap !== undefined);
  assert.deepEqual(
    container.ports.map(({ containerPort }) => containerPort),
    [MESH_PORT],
  );
  const { startupProbe, livenessProbe, readinessProbe } = container;
  const port = flags.get("set")?.replace("api.port=", "");
  for (const { exec } of [startupProbe, livenessProbe, readinessProbe]) {
    assertHealth(exec.command, port);
  }
  // One that is being opened answers 503, and must not be ended for it.
  assert.ok(readinessProbe.exec.command.includes("-fsS"));
  assert.ok(!livenessProbe.exec.command.includes("-fsS"));
});

test("pods have their ids from their names, and find each other by the headless service", async () => {
  const { spec } = kubernetes<StatefulSet>("StatefulSet");
  const service = kubernetes<Record<string, unknown>>("Service");
  assert.equal(service.metadata.name, spec.serviceName);
  assert.equal(service.spec["clusterIP"], "None");
  assert.equal(service.spec["publishNotReadyAddresses"], true);
  const env = spec.template.spec.containers[0]?.env.find(({ name }) => name === "POD");
  assert.deepEqual(env?.valueFrom, { fieldRef: { fieldPath: "metadata.name" } });
  for (const [at, pod] of PODS.entries()) {
    const started = kubernetesAgent(pod, "trobar-0");
    const values = await valuesOf(started);
    assert.equal(values["cluster.id"]?.value, pod);
    assert.ok(flagsOf(started).has("stay"), "a pod that ends is started again");
    const peers = PODS.filter((_name, other) => other !== at && at > 0);
    assert.deepEqual(
      values["cluster.join"]?.value,
      peers.map((name) => `${name}.${spec.serviceName}:${MESH_PORT}`),
    );
  }
});

test("when the founder has done its work, every pod joins, also one that lost its volume", async () => {
  assert.equal(kubernetes("ConfigMap").data?.["founder"], "trobar-0");
  for (const pod of PODS) {
    const started = kubernetesAgent(pod, "");
    const peers = (await valuesOf(started))["cluster.join"]?.value;
    assert.ok(Array.isArray(peers) && peers.length === 2);
    assert.ok(!flagsOf(started).has("seeds"));
  }
});

test("the image has what an agent needs, for the user of the pods, and is built from this version", () => {
  const text = textOf("Dockerfile").replaceAll(/\\\n\s*/g, " ");
  const lines = text.split("\n").filter((line) => /^[A-Z]/.test(line));
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `));
  assert.deepEqual(of("FROM"), ["FROM debian:trixie-slim"]);
  for (const name of ["nats-server", "nodejs", "npm", "curl", "ca-certificates"]) {
    assert.ok(of("RUN")[0]?.includes(` ${name}`), name);
  }
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.deepEqual(of("ARG"), [`ARG VERSION=${version}`]);
  const pod = kubernetes<StatefulSet>("StatefulSet").spec.template.spec;
  const { runAsUser, fsGroup } = pod.securityContext;
  assert.deepEqual(of("USER"), [`USER ${runAsUser}:${fsGroup}`]);
  assert.deepEqual(of("EXPOSE"), [`EXPOSE ${MESH_PORT}`]);
  assert.deepEqual(of("STOPSIGNAL"), ["STOPSIGNAL SIGTERM"]);
  assert.deepEqual(of("ENTRYPOINT"), ['ENTRYPOINT ["trobar"]']);
  const images = [
    pod.containers[0]?.image,
    ...Object.values(readCompose().services).map(({ image }) => image),
  ];
  assert.deepEqual(new Set(images), new Set([`trobar:${version}`]));
});

test("every file of the example is read here", () => {
  assert.deepEqual(readdirSync(FOLDER).sort(), [
    ...["Dockerfile", "compose.yaml", "crawl.yaml", "founder.env", "joiner.env"],
    ...["kubernetes.yaml", "seeds.txt", "trobar@.service"],
  ]);
});
