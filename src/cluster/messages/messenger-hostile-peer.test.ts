/**
 * What a peer that has the join token, and a server without the limits of ours, can say to an agent: tried
 * over a route of the version of nats-server that is installed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { MeshRig } from "../../../test/support/base/mesh-rig.ts";
import { NatsServer } from "../../../test/support/base/nats-server.ts";
import { needsProgram } from "../../../test/support/requirement.ts";
import { MESSAGE_BYTES_MAX, type Mesh, parseToken } from "../../base/transport/index.ts";
import { codec } from "../../topology/items/index.ts";
import { seal } from "./envelope.ts";
import { type DropReason, type MessageGate, Messenger, messageType, type Sender } from "./index.ts";

const skip = needsProgram("nats-server");
const WORDS = messageType("words", codec.text);
const SENDER: Sender = {
  ...{ crawl: "ours", place: { id: "x", generation: 7 }, incarnation: 3, capacity: 1 },
};

/** Judges as membership does; that it does is seen in `membership/view/attendance.test.ts`. */
const GATE: MessageGate = {
  self: () => ({ ...SENDER, place: { id: "a", generation: 1 } }),
  refuses: ({ crawl, incarnation }) => {
    if (crawl !== SENDER.crawl) return "crawl";
    return incarnation < SENDER.incarnation ? "stale" : null;
  },
  hearsOther: () => undefined,
};

/** A server with the token of `a` that takes longer messages, and joins it. */
function startRogue(rig: MeshRig, mesh: Mesh): Promise<NatsServer> {
  const parsed = parseToken(mesh.token());
  assert(parsed.ok);
  const { password } = parsed.token;
  const [certificate, key] = ["certificate.pem", "key.pem"].map(
    (name) => `${rig.pathOf("a")}/${name}`,
  );
  const tls = `{ cert_file: "${certificate}", key_file: "${key}", ca_file: "${certificate}", insecure: true }`;
  const route = `nats-route://trobar:${password}@${mesh.listening}`;
  return NatsServer.start(`
    max_payload: ${4 * MESSAGE_BYTES_MAX}
    accounts: { CRAWL: { users: [ { user: rogue, password: rogue } ] } }
    cluster: { name: trobar, listen: "127.0.0.1:-1", tls: ${tls}, routes: ["${route}"] }`);
}

test("what a hostile peer says is refused and counted, and the agent hears the others", {
  skip,
}, async () => {
  await using rig = new MeshRig();
  const mesh = await rig.open("a");
  const transport = await mesh.connect("a", "test");
  const messenger = new Messenger(transport, rig.clock);
  const heard: string[] = [];
  messenger.attach(GATE);
  messenger.serve(WORDS, (_from, words) => heard.push(words));
  const rogue = await startRogue(rig, mesh);
  const options = { servers: rogue.url, user: "rogue", pass: "rogue", reconnect: false };
  const client: NatsConnection = await connect(options);
  try {
    const say = (sender: Sender, words: string, as = "x"): void =>
      client.publish(`trobar.test.to.a.${as}.${WORDS.kind}`, seal(sender, words, WORDS.body));
    // Until the servers have heard of each other what is said gets lost.
    await rig.until(() => {
      say(SENDER, "hello");
      return heard.length > 0;
    });
    say({ ...SENDER, crawl: "theirs" }, "of another crawl");
    say({ ...SENDER, incarnation: 2 }, "of a life that is over");
    say({ ...SENDER, place: { id: "y", generation: 1 } }, "in the name of another");
    say(SENDER, "with a name that is none", "%E0%A4%A");
    say(SENDER, "long".repeat(MESSAGE_BYTES_MAX / 4));
    // Of a version to come; of this one, and cut short.
    client.publish(`trobar.test.to.a.x.${WORDS.kind}`, Buffer.of(0x20, 1, 2, 3));
    client.publish(`trobar.test.to.a.x.${WORDS.kind}`, Buffer.of(0x10, 200, 1));
    say(SENDER, "goodbye");
    await rig.until(() => heard.includes("goodbye"));
  } finally {
    await client.close();
    await rogue.stop();
  }
  assert.deepEqual([...new Set(heard)], ["hello", "goodbye"]);
  const dropped: Partial<Record<DropReason, number>> = Object.fromEntries(messenger.dropped);
  assert.deepEqual(dropped, { crawl: 1, stale: 1, forged: 1, version: 1, malformed: 1 });
  assert.deepEqual(Object.fromEntries(transport.refused), { sender: 1, "too-large": 1 });
});
