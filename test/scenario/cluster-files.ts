/**
 * The files of `examples/cluster` as a test reads them: whatever starts an agent (systemd, Compose,
 * Kubernetes) is brought into one form, with the arguments and variables that the program is given.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

export const FOLDER = "examples/cluster";

/** An agent as one of the files starts it. */
export interface StartedAgent {
  /** Which file, and which agent of it. */
  readonly name: string;
  /** After `trobar`. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export function textOf(file: string): string {
  return readFileSync(join(FOLDER, file), "utf8");
}

/** Directives by name, in all sections; every value that one has been given. */
export type UnitFile = ReadonlyMap<string, readonly string[]>;

export function readUnit(text: string): UnitFile {
  const found = new Map<string, string[]>();
  const joined = text.replaceAll(/\\\n\s*/g, " ");
  for (const line of joined.split("\n").map((each) => each.trim())) {
    if (line === "" || /^[#;]|^\[\w+\]$/.test(line)) continue;
    const [, key = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? assert.fail(`not read: ${line}`);
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return found;
}

/** The last value of a directive, which counts. */
export function directive(unit: UnitFile, key: string): string {
  return unit.get(key)?.at(-1) ?? assert.fail(`no ${key}`);
}

export function readVariables(file: string): Record<string, string> {
  const entries = [...readUnit(textOf(file))].map(([key]) => [
    key,
    directive(readUnit(textOf(file)), key),
  ]);
  return Object.fromEntries(entries);
}

/** `$NAME` becomes words, as systemd does it; a specifier what it stands for in an instance. */
export function systemdAgent(id: string, file: string): StartedAgent {
  const unit = readUnit(textOf("trobar@.service"));
  const variables = readVariables(file);
  const specifiers: Readonly<Record<string, string>> = {
    ...{ i: id, S: "/var/lib", d: "/run/credentials" },
  };
  const [program, ...args] = directive(unit, "ExecStart")
    .split(" ")
    .flatMap((word) => {
      const name = /^\$(\w+)$/.exec(word)?.[1];
      return name === undefined ? [word] : (variables[name] ?? "").split(" ").filter(Boolean);
    })
    .map((word) => word.replaceAll(/%(\w)/g, (_all, letter: string) => specifiers[letter] ?? "?"));
  assert.match(program ?? "", /^\/.*\/trobar$/);
  return { name: `trobar@${id}.service`, args, environment: variables };
}

export interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly expose: readonly string[];
  readonly secrets: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly restart: string;
  readonly stop_signal: string;
  readonly stop_grace_period: string;
  readonly ulimits: { readonly nofile: number };
  readonly healthcheck: { readonly test: readonly string[] };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export function readCompose(): ComposeFile {
  return parse(textOf("compose.yaml"), { merge: true });
}

export function composeAgents(): StartedAgent[] {
  return Object.entries(readCompose().services).map(([name, { command, environment }]) => ({
    ...{ name: `${name} of compose.yaml`, args: command, environment },
  }));
}

/** What the tests read of it. */
export interface StatefulSet {
  readonly serviceName: string;
  readonly replicas: number;
  readonly podManagementPolicy: string;
  readonly template: { readonly spec: PodSpec };
  readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
}

export interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly securityContext: { readonly runAsUser: number; readonly fsGroup: number };
  readonly containers: readonly PodContainer[];
  readonly volumes: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
    readonly secret?: { readonly secretName: string };
  }[];
}

export interface Probe {
  readonly exec: { readonly command: readonly string[] };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}

export interface PodContainer {
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly valueFrom: object }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

export interface KubernetesObject<Spec> {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: Spec;
}

export function kubernetes<Spec>(kind: string): KubernetesObject<Spec> {
  const found = parseAllDocuments(textOf("kubernetes.yaml")).map((document) => {
    assert.deepEqual("errors" in document ? document.errors : [], []);
    return "toJS" in document ? (document.toJS() as KubernetesObject<Spec>) : assert.fail();
  });
  return found.find((object) => object.kind === kind) ?? assert.fail(`no ${kind}`);
}

/** Runs the script of a pod in a shell in which `trobar` only tells what it was given. */
export function kubernetesAgent(pod: string, founder: string): StartedAgent {
  const { spec } = kubernetes<StatefulSet>("StatefulSet");
  const [{ command, args } = assert.fail("no container")] = spec.template.spec.containers;
  const folder = mkdtempSync(join(tmpdir(), "trobar-pod-"));
  try {
    const program = join(folder, "trobar");
    writeFileSync(program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    chmodSync(program, 0o755);
    const [shell = "", ...words] = [...command, ...args];
    const env = { PATH: `${folder}:${process.env["PATH"]}`, POD: pod, FOUNDER: founder };
    const { status, stdout, stderr } = spawnSync(shell, words, { env, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const name = `${pod} of kubernetes.yaml, with the founder ${founder || "gone"}`;
    return { name, args: stdout.trimEnd().split("\n"), environment: {} };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
