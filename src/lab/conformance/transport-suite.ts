/**
 * What every `Transport` must do in a calm world: one in which messages arrive within seconds.
 * Nothing is assumed that the contract does not promise: no order, no speed, and `timed-out`
 * wherever `unreachable` would be only a hint.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Answer, MESSAGE_BYTES_MAX, type Message } from "../../base/transport/index.ts";
import { ask } from "./ask.ts";
import { Cluster, HASTE_MS, type Opening, PATIENCE_MS } from "./transport-cluster.ts";

/** `skip`: why it cannot be tried on this machine. */
export function transportSuite(name: string, open: Opening, skip: string | false = false): void {
  describe(`${name} is a transport`, { skip }, () => {
    testRequests(open);
    testBodies(open);
    testSilence(open);
    testClosing(open);
    testBroadcasts(open);
  });
}

function testRequests(open: Opening): void {
  test("a request reaches the agent it is for, and the reply comes back", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob", "carol");
    const heard: string[] = [];
    for (const agent of cluster.agents) {
      agent.serve("greet", (from, body, respond) => {
        heard.push(`${agent.self} heard ${from} say ${textOf(body)}`);
        respond(bytesOf(`${agent.self} greets ${from}`));
      });
    }
    const reply = await cluster.request("alice", "bob", message("greet", "hello"));
    assert.equal(textOfReply(reply), "bob greets alice");
    assert.ok(heard.includes("bob heard alice say hello"));
    assert.ok(!heard.some((line) => !line.startsWith("bob")), "nobody else heard it");
  });

  test("a request to oneself works like any other", async () => {
    await using cluster = await Cluster.of(open, "alice");
    cluster.agent("alice").serve("echo", (_from, body, respond) => respond(body));
    const reply = await cluster.request("alice", "alice", message("echo", "me"));
    assert.equal(textOfReply(reply), "me");
  });

  test("a response may come later", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    const bob = cluster.agent("bob");
    bob.serve("slow", (_from, body, respond) => {
      bob.request("bob", message("wait"), PATIENCE_MS, () => respond(body));
    });
    bob.serve("wait", (_from, body, respond) => respond(body));
    const reply = await cluster.request("alice", "bob", message("slow", "at last"));
    assert.equal(textOfReply(reply), "at last");
  });

  test("many requests at once are each answered with their own reply", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    for (const agent of cluster.agents) {
      agent.serve("echo", (from, body, respond) => respond(bytesOf(`${from} ${textOf(body)}`)));
    }
    const questions = Array.from({ length: 300 }, (_, index) => {
      const [from, to] = index % 2 === 0 ? ["alice", "bob"] : ["bob", "alice"];
      return cluster.asks(from, to, message("echo", String(index)));
    });
    const replies = await cluster.all(questions);
    replies.forEach((reply, index) => {
      assert.equal(textOfReply(reply), `${index % 2 === 0 ? "alice" : "bob"} ${index}`);
    });
  });

  test("neither a listener nor an answer is called inside a call of the transport", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    let isInside = false;
    const within = (call: () => void) => {
      assert.ok(!isInside, "called while another call of the transport was running");
      isInside = true;
      call();
      isInside = false;
    };
    const bob = cluster.agent("bob");
    bob.serve("relay", (from, body, respond) => {
      assert.ok(!isInside);
      within(() =>
        bob.request("bob", { kind: "echo", body }, PATIENCE_MS, (answer) => {
          assert.ok(!isInside);
          within(() => respond(bytesOf(`${from} ${textOfReply(answer)}`)));
        }),
      );
    });
    bob.serve("echo", (_from, body, respond) => within(() => respond(body)));
    const reply = await cluster.request("alice", "bob", message("relay", "around"));
    assert.equal(textOfReply(reply), "alice around");
  });

  test("a kind has one listener", async () => {
    await using cluster = await Cluster.of(open, "alice");
    cluster.agent("alice").serve("once", () => {});
    assert.throws(() => cluster.agent("alice").serve("once", () => {}), assert.AssertionError);
  });
}

function testBodies(open: Opening): void {
  const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);
  const longest = new Uint8Array(MESSAGE_BYTES_MAX).map((_, index) => index * 31);
  const bodies: readonly (readonly [string, Uint8Array])[] = [
    ["that is empty", new Uint8Array(0)],
    ["of every byte", everyByte],
    ["that is a part of a larger buffer", everyByte.subarray(100, 110)],
    ["of the greatest length", longest],
  ];
  for (const [what, body] of bodies) {
    test(`a body ${what} arrives and returns unaltered`, async () => {
      await using cluster = await Cluster.of(open, "alice", "bob");
      cluster.agent("bob").serve("echo", (_from, received, respond) => {
        assert.ok(Buffer.compare(received, body) === 0);
        respond(received);
      });
      const reply = await cluster.request("alice", "bob", { kind: "echo", body });
      assert.ok(reply.kind === "reply" && Buffer.compare(reply.body, body) === 0);
    });
  }

  const tooLong = new Uint8Array(MESSAGE_BYTES_MAX + 1);

  test("a request that is too large is refused and not sent", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    cluster.agent("bob").serve("echo", (_from, received, respond) => {
      assert.notEqual(received.byteLength, tooLong.byteLength);
      respond(received);
    });
    const answer = await cluster.request("alice", "bob", { kind: "echo", body: tooLong });
    assert.deepEqual(answer, { kind: "too-large" });
    await cluster.request("alice", "bob", message("echo"));
  });

  test("a broadcast or reply that is too large is a programming error", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    cluster.agent("bob").serve("grow", (_from, _body, respond) => {
      assert.throws(() => respond(tooLong), assert.AssertionError);
      respond(bytesOf("refused"));
    });
    const broadcast = { kind: "grow", body: tooLong };
    assert.throws(() => cluster.agent("alice").broadcast(broadcast), assert.AssertionError);
    const reply = await cluster.request("alice", "bob", message("grow"));
    assert.equal(textOfReply(reply), "refused");
  });
}

function testSilence(open: Opening): void {
  test("a request without a response runs out of time, and a late reply is dropped", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    const owed: (() => void)[] = [];
    const bob = cluster.agent("bob");
    bob.serve("hold", (_from, body, respond) => owed.push(() => respond(body)));
    bob.serve("echo", (_from, body, respond) => respond(body));
    const question = { ...cluster.asks("alice", "bob", message("hold")), timeoutMs: HASTE_MS };
    assert.deepEqual(await cluster.all([question]), [{ kind: "timed-out" }]);
    for (const pay of owed) pay();
    await cluster.request("alice", "bob", message("echo"));
  });

  test("only the first response counts", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    cluster.agent("bob").serve("stutter", (_from, _body, respond) => {
      respond(bytesOf("first"));
      respond(bytesOf("second"));
    });
    const reply = await cluster.request("alice", "bob", message("stutter"));
    assert.equal(textOfReply(reply), "first");
    await cluster.request("alice", "bob", message("stutter"));
  });

  test("a request to an agent that is not there is unreachable or runs out of time", async () => {
    await using cluster = await Cluster.of(open, "alice");
    await cluster.notReached("alice", "nobody", message("echo"));
  });

  test("a request of a kind that is not served is unreachable or runs out of time", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    cluster.agent("bob").serve("other", () => assert.fail("this kind was not asked for"));
    await cluster.notReached("alice", "bob", message("echo"));
  });
}

function testClosing(open: Opening): void {
  test("closing answers the open requests, and those made later, with closed", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    cluster.agent("bob").serve("hold", () => {});
    const alice = cluster.agent("alice");
    const answer = await ask<Answer>(cluster.world, (answered) => {
      alice.request("bob", message("hold"), PATIENCE_MS, answered);
      alice.close();
    });
    assert.deepEqual(answer, { kind: "closed" });
    assert.deepEqual(await cluster.request("alice", "bob", message("hold")), { kind: "closed" });
  });

  test("a closed agent receives nothing, not even messages in flight", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    const bob = cluster.agent("bob");
    bob.serve("echo", () => assert.fail("a closed agent was called"));
    const answer = await ask<Answer>(cluster.world, (answered) => {
      cluster.agent("alice").request("bob", message("echo"), HASTE_MS, answered);
      bob.close();
    });
    assert.ok(answer.kind === "unreachable" || answer.kind === "timed-out");
    await cluster.notReached("alice", "bob", message("echo"));
  });

  test("a reply owed when an agent closes is dropped", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    const bob = cluster.agent("bob");
    bob.serve("hold", (_from, body, respond) => {
      bob.close();
      respond(body);
    });
    await cluster.notReached("alice", "bob", message("hold"));
  });

  test("after closing, further calls do nothing", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    const alice = cluster.agent("alice");
    cluster.agent("bob").serve("news", () => assert.fail("a closed agent was heard"));
    cluster.agent("bob").serve("echo", (_from, body, respond) => respond(body));
    alice.close();
    alice.broadcast(message("news"));
    alice.serve("echo", () => assert.fail("a closed agent was called"));
    alice.close();
    await cluster.request("bob", "bob", message("echo"));
  });

  test("an agent that comes back under its id is reached again", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    cluster.agent("bob").close();
    const returned = await cluster.connect("bob");
    returned.serve("echo", (_from, body, respond) => respond(body));
    assert.equal(textOfReply(await cluster.request("alice", "bob", message("echo", "hi"))), "hi");
  });
}

function testBroadcasts(open: Opening): void {
  test("a broadcast reaches every other agent and not its sender", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob", "carol");
    const heard = new Set<string>();
    await cluster.world.answer<null>((answered) => {
      for (const agent of cluster.agents) {
        agent.serve("news", (from, body, respond) => {
          assert.equal(`${from} ${textOf(body)}`, "alice read all about it");
          heard.add(agent.self);
          respond(bytesOf("leads nowhere"));
          if (heard.size === 2) answered(null);
        });
      }
      cluster.agent("alice").broadcast(message("news", "read all about it"));
    });
    cluster.agent("alice").serve("echo", (_from, body, respond) => respond(body));
    await cluster.request("bob", "alice", message("echo"));
    assert.deepEqual([...heard].sort(), ["bob", "carol"]);
  });

  test("a broadcast of a kind that nobody serves does no harm", async () => {
    await using cluster = await Cluster.of(open, "alice", "bob");
    cluster.agent("bob").serve("echo", (_from, body, respond) => respond(body));
    cluster.agent("alice").broadcast(message("nothing"));
    assert.equal((await cluster.request("alice", "bob", message("echo"))).kind, "reply");
  });
}

function message(kind: string, text = ""): Message {
  return { kind, body: bytesOf(text) };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

function textOfReply(answer: Answer | undefined): string {
  assert(answer?.kind === "reply", `a reply, not ${answer?.kind}`);
  return textOf(answer.body);
}
