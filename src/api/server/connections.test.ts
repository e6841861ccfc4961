import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { Connections } from "./connections.ts";

class FakeConnection extends EventEmitter {
  readonly remoteAddress = "127.0.0.1";
  readonly remotePort: number;
  isCut = false;

  constructor(remotePort: number) {
    super();
    this.remotePort = remotePort;
  }

  destroy(): void {
    this.isCut = true;
    this.emit("close");
  }
}

function opened(connections: Connections, ...ports: readonly number[]): FakeConnection[] {
  return ports.map((port) => {
    const connection = new FakeConnection(port);
    connections.add(connection);
    return connection;
  });
}

test("when all places are taken, the oldest connection without a token is cut", () => {
  const connections = new Connections(3);
  const all = opened(connections, 1, 2, 3);
  connections.trust({ remoteAddress: "127.0.0.1", remotePort: 1 });
  all.push(...opened(connections, 4, 5));
  assert.deepEqual(
    all.map(({ isCut }) => isCut),
    [false, true, true, false, false],
  );
  assert.equal(connections.count, 3);
});

test("those with a token stay: if they have all places, who comes is cut", () => {
  const connections = new Connections(2);
  const owners = opened(connections, 1, 2);
  for (const { remoteAddress, remotePort } of owners) {
    connections.trust({ remoteAddress, remotePort });
    connections.trust({ remoteAddress, remotePort });
  }
  const [late] = opened(connections, 3);
  assert.ok(late?.isCut);
  assert.ok(owners.every(({ isCut }) => !isCut));
  owners[0]?.destroy();
  assert.ok(!opened(connections, 4)[0]?.isCut);
  assert.equal(connections.count, 2);
});

test("a place is free again when its connection has closed, and all are cut at the end", () => {
  const connections = new Connections(2);
  const [first] = opened(connections, 1);
  first?.emit("close");
  const all = opened(connections, 2, 1);
  connections.trust({ remoteAddress: "127.0.0.1", remotePort: 2 });
  connections.trust({ remoteAddress: "127.0.0.1", remotePort: 9 });
  assert.equal(connections.count, 2);
  connections.cut();
  assert.ok(all.every(({ isCut }) => isCut));
  assert.equal(connections.count, 0);
});
