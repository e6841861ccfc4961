import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { Doorkeeper } from "./doorkeeper.ts";

/** As a server writes them. */
function line(words: string, level = "ERR"): string {
  return `[4711] 2026/01/02 03:04:05.678901 [${level}] ${words}`;
}

interface Told {
  readonly clock: SimulatedTime;
  readonly tales: readonly string[];
  readonly keeper: Doorkeeper;
}

function keeperOf(...join: readonly string[]): Told {
  const tales: string[] = [];
  const clock = new SimulatedTime();
  const keeper = new Doorkeeper({
    ...{ clock, join },
    told: ({ code, message }, isShutOut) => {
      assert.match(message, / /);
      tales.push(`${code}${isShutOut ? " for good" : ""}`);
    },
  });
  return { clock, tales, keeper };
}

function dial(at: string): string {
  return line(
    `Error trying to connect to route (attempt 1): dial tcp ${at}: connect: connection refused`,
  );
}

const NOT_PINNED = "TLS route handshake error: certificate not pinned";
const PLAIN = "TLS route handshake error: tls: first record does not look like a TLS handshake";

test("strangers are counted by reason, and told of by nobody", () => {
  const { tales, keeper } = keeperOf("10.0.0.5:7001");
  for (const from of ["127.0.0.1:40001", "10.0.0.9:40002", "[::1]:40003"]) {
    keeper.heard(line(`${from} - rid:7 - ${PLAIN}`));
  }
  keeper.heard(line("127.0.0.1:40004 - cid:8 - authentication error"));
  keeper.heard(line("127.0.0.1:40005 - cid:9 - maximum payload exceeded: 9999999 vs 1048576"));
  assert.deepEqual(Object.fromEntries(keeper.refused), { plain: 3, login: 1, "too-large": 1 });
  assert.deepEqual(tales, []);
});

test("each address that does not let the agent in is told of once", () => {
  const { tales, keeper } = keeperOf("10.0.0.5:7001", "10.0.0.6:7001");
  for (let at = 0; at < 3; at += 1) keeper.heard(line(`10.0.0.5:7001 - rid:${at} - ${NOT_PINNED}`));
  assert.deepEqual(tales, ["CLUSTER_TOKEN_REFUSED"]);
  keeper.heard(line(`10.0.0.6:7001 - rid:9 - ${PLAIN}`));
  assert.deepEqual(tales, ["CLUSTER_TOKEN_REFUSED", "CLUSTER_PEER_INVALID for good"]);
  assert.equal(keeper.refused.size, 0);
});

test("a login that is refused once, by one that has accepted the key, may be right the next time", () => {
  const { tales, keeper } = keeperOf("10.0.0.5:7001", "10.0.0.6:7001");
  const refused = (at: string): void =>
    keeper.heard(line(`${at} - rid:5 - Route Error 'Authorization Violation'`));
  for (const at of ["10.0.0.5:7001", "10.0.0.6:7001", "10.0.0.5:7001"]) refused(at);
  assert.deepEqual(tales, []);
  refused("10.0.0.5:7001");
  assert.deepEqual(tales, ["CLUSTER_TOKEN_REFUSED"], "at the third time");
  refused("10.0.0.5:7001");
  assert.deepEqual(tales, ["CLUSTER_TOKEN_REFUSED"]);
});

test("silence is told if it lasts, not for good, and not that of agents which came and went", () => {
  const { clock, tales, keeper } = keeperOf("10.0.0.5:7001");
  keeper.heard(dial("10.0.0.5:7001"));
  keeper.heard(dial("10.0.0.7:7001"));
  assert.deepEqual(tales, []);
  clock.settle();
  assert.deepEqual(tales, ["CLUSTER_PEER_SILENT"]);
  const first = keeperOf();
  first.keeper.heard(dial("10.0.0.5:7001"));
  first.clock.settle();
  assert.deepEqual(first.tales, []);
});

test("one that answers soon, at this address of its name or another, was not silent", () => {
  const reached = line("10.0.0.5:7001 - rid:7 - Route connection created", "INF");
  const same = keeperOf("10.0.0.5:7001", "10.0.0.6:7001");
  same.keeper.heard(dial("10.0.0.5:7001"));
  same.keeper.heard(dial("10.0.0.6:7001"));
  same.keeper.heard(reached);
  same.clock.settle();
  assert.deepEqual(same.tales, ["CLUSTER_PEER_SILENT"], "the other one is");
  const named = keeperOf("crawler.example:7001");
  named.keeper.heard(dial("[2001:db8::5]:7001"));
  named.keeper.heard(reached);
  named.clock.settle();
  assert.deepEqual(named.tales, []);
});

test("one that was silent twice before it answered was not silent", () => {
  const { clock, tales, keeper } = keeperOf("10.0.0.5:7001");
  keeper.heard(dial("10.0.0.5:7001"));
  keeper.heard(dial("10.0.0.5:7001"));
  keeper.heard(line("10.0.0.5:7001 - rid:7 - Route connection created", "INF"));
  clock.settle();
  assert.deepEqual(tales, []);
});

test("an agent that joins nobody is shut out by nobody", () => {
  const { tales, keeper } = keeperOf();
  keeper.heard(line(`10.0.0.5:7001 - rid:7 - ${NOT_PINNED}`));
  assert.deepEqual(tales, ["CLUSTER_TOKEN_REFUSED"]);
});

test("one that is closed tells nothing more", () => {
  const { clock, tales, keeper } = keeperOf("10.0.0.5:7001");
  keeper.heard(dial("10.0.0.5:7001"));
  keeper.close();
  clock.settle();
  assert.deepEqual(tales, []);
});

test("one that is joined by name is known by its port, or by its name", () => {
  const { clock, tales, keeper } = keeperOf("crawler.example:7001");
  const failure = 'lookup for host "crawler.example": lookup crawler.example: no such host';
  keeper.heard(line(`Error trying to connect to route (attempt 1): ${failure}`));
  clock.settle();
  keeper.heard(line(`10.0.0.5:7001 - rid:3 - ${NOT_PINNED}`));
  assert.deepEqual(tales, ["CLUSTER_PEER_SILENT", "CLUSTER_TOKEN_REFUSED for good"]);
});

test("words of others, and lines of other levels, are nothing", () => {
  const { tales, keeper } = keeperOf("10.0.0.5:7001");
  for (const words of ["", "not a line", line("authentication error", "INF"), line("nothing")]) {
    keeper.heard(words);
  }
  keeper.heard(line("10.0.0.5:7001 - rid:3 - Route Error 'out of words'"));
  assert.deepEqual(tales, []);
  assert.equal(keeper.refused.size, 0);
});

test("what a stranger makes the server say cannot change a terminal", () => {
  let text = "";
  const told = ({ message }: Error): void => {
    text = message;
  };
  const keeper = new Doorkeeper({ clock: new SimulatedTime(), join: ["10.0.0.5:7001"], told });
  keeper.heard(line(`10.0.0.5:7001 - rid:3 - ${NOT_PINNED} \u001b[2J${"x".repeat(5000)}`));
  assert.match(text, /certificate not pinned/);
  assert.ok(!text.includes("\u001b") && text.length < 1000, text);
});
