import assert from "node:assert/strict";
import { test } from "node:test";
import { ANY_PORT, printServerConfiguration } from "./server-configuration.ts";

const SETTINGS = {
  ...{ name: "n1", clientPort: ANY_PORT, clientKey: "UABC", routesAt: "10.0.0.5:7001" },
  advertise: null,
  ...{
    password: "secret",
    join: ["10.0.0.6:7001", "[2001:db8::1]:7001"],
    keyDigest: "d1".repeat(32),
  },
  files: {
    ...{ certificate: "/c.pem", key: "/k.pem", log: "/s.log", process: "/s.pid" },
    ports: '/odd "folder\\',
  },
};
const text = printServerConfiguration(SETTINGS);

test("clients are taken on loopback only, whatever routes listen at", () => {
  assert.match(text, /^listen: "127\.0\.0\.1:-1"$/m);
  assert.match(text, /^ {2}listen: "10\.0\.0\.5:7001"$/m);
});

test("others are told another address where one is given", () => {
  assert.doesNotMatch(text, /advertise:(?! true)/);
  const told = printServerConfiguration({ ...SETTINGS, advertise: "crawl.example:7001" });
  assert.match(told, /^ {2}advertise: "crawl\.example:7001"$/m);
});

test("routes lead to the peers, with the password", () => {
  assert.match(
    text,
    /routes: \[ "nats-route:\/\/trobar:secret@10\.0\.0\.6:7001", "nats-route:\/\/trobar:secret@\[2001:db8::1\]:7001" \]/,
  );
});

test("the client may use the subjects of agents, and no others", () => {
  assert.match(text, /permissions: \{ publish: \["trobar\.>"\], subscribe: \["trobar\.>"\] \}/);
});

test("both kinds of connections need the key of the mesh", () => {
  assert.equal(text.match(/verify: true/g)?.length, 2);
  assert.equal(text.match(/pinned_certs: \[ "(?:d1){32}" \]/g)?.length, 2);
});

test("nothing is in it that has let strangers in, or that is not needed", () => {
  assert.doesNotMatch(text, /^authorization|no_auth_user|^http|jetstream|leafnodes|gateway/m);
});

test("a server that was heard of is tried for days, and clients hear of none", () => {
  const [, retries] = /^ {2}connect_retries: (\d+)$/m.exec(text) ?? [];
  assert.ok(Number(retries) > 7 * 86_400, "once a second");
  assert.match(text, /^ {2}no_advertise: true$/m);
});

test("folders may have any name", () => {
  assert.match(text, /^ports_file_dir: "\/odd \\"folder\\\\"$/m);
});
