/** What the spool promises: 500 slow bodies of 10 MiB within 128 MiB, with room left for pages. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import type { Body, Done, Storage, StorageFile } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import type { BodySink } from "./body-sink.ts";
import { openSpool, PooledSpool } from "./body-spool.ts";

const MIB = 2 ** 20;

/** A disk that counts what it is given and forgets it. */
function abyss(time: SimulatedTime): { readonly storage: Storage; swallowedBytes: number } {
  const pit = { swallowedBytes: 0, storage: {} as Storage };
  const file: Partial<StorageFile> = {
    append: (chunks, done) => {
      time.after(1, () => {
        for (const chunk of chunks) pit.swallowedBytes += chunk.length;
        done(null);
      });
    },
    close: (done) => void time.after(1, () => done(null)),
  };
  const storage: Partial<Storage> = {
    open: (_name, done) => void time.after(1, () => done(null, file as StorageFile)),
    remove: (_name, done) => void time.after(1, () => done(null)),
  };
  return Object.assign(pit, { storage: storage as Storage });
}

test("500 slow bodies of 10 MiB stay within 128 MiB, and pages of 25 kB pass in memory", () => {
  const time = new SimulatedTime();
  const pit = abyss(time);
  const budgetBytes = 128 * MIB;
  const spool = new PooledSpool({ memoryBytes: budgetBytes, storage: pit.storage, clock: time });
  const before = process.memoryUsage();
  const buffer = new Uint8Array(64 * 1024).fill(7);
  const slow = Array.from({ length: 500 }, (_, index) => ({
    sink: spool.open(index % 2 === 0 ? 10 * MIB : null, () => undefined),
    body: null as Body | null,
  }));
  let passedBytes = 0;
  let grownBytes = 0;
  for (let sentBytes = 0; sentBytes < 10 * MIB; sentBytes += buffer.length) {
    for (const { sink } of slow) {
      sink.write(buffer, 0, buffer.length);
      assert.ok(spool.memoryBytes <= budgetBytes, `${spool.memoryBytes} bytes are held`);
    }
    const page = spool.open(25_000, () => undefined);
    assert.equal(page.write(buffer, 0, 25_000), true);
    page.end((error, body) => {
      assert.equal(error, null);
      passedBytes += body?.bytes?.length ?? 0;
      body?.release();
    });
    time.settle();
    grownBytes = Math.max(grownBytes, process.memoryUsage().arrayBuffers - before.arrayBuffers);
  }
  assert.equal(passedBytes, 160 * 25_000, "every page lay in memory");
  for (const each of slow) {
    each.sink.end((error, body) => {
      assert.equal(error, null);
      each.body = body ?? null;
    });
  }
  time.settle();
  const inMemory = slow.filter(({ body }) => body?.bytes !== null);
  assert.equal(pit.swallowedBytes, (500 - inMemory.length) * 10 * MIB);
  assert.ok(inMemory.length < 12, `${inMemory.length} bodies of 10 MiB in memory`);
  assert.ok(grownBytes <= budgetBytes + 8 * MIB, `the process took ${grownBytes} bytes`);
  for (const { body } of slow) body?.release();
  assert.equal(spool.usedBytes, 0);
});

class Folder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "trobar-spool-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

function answer<Value>(start: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error === null ? resolve(value) : reject(error)));
  });
}

test("on a real disk many bodies at once are whole, and their files go", async () => {
  using folder = new Folder();
  const storage = new DiskStorage(folder.path);
  const clock = new SystemClock();
  const spool = await answer<PooledSpool>((done) =>
    openSpool({ memoryBytes: 4 * MIB, storage, clock }, done),
  );
  const bodies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => receive(spool, contentOf(index))),
  );
  assert.ok(spool.bodiesSpilled >= 10, `${spool.bodiesSpilled} bodies went to disk`);
  assert.ok(spool.memoryBytes <= 4 * MIB);
  for (const [index, body] of bodies.entries()) {
    const half = body.lengthBytes >> 1;
    const [first, second] = await Promise.all([
      answer<Uint8Array>((done) => body.read(0, half, done)),
      answer<Uint8Array>((done) => body.read(half, body.lengthBytes, done)),
    ]);
    assert.ok(Buffer.concat([first, second]).equals(contentOf(index)), `body ${index}`);
    body.release();
  }
  const left = (): number => readdirSync(join(folder.path, "bodies")).length;
  while (left() > 0) await answer<null>((done) => void clock.after(1, () => done(null, null)));
});

function contentOf(index: number): Buffer {
  return Buffer.alloc(1000 + index * 12_345, `body number ${index}, `);
}

function receive(spool: PooledSpool, content: Buffer): Promise<Body> {
  return answer<Body>((done) => {
    let at = 0;
    const sink: BodySink = spool.open(null, () => send());
    const send = (): void => {
      while (at < content.length) {
        const from = at;
        at = Math.min(at + 20_000, content.length);
        if (!sink.write(content, from, at)) return;
      }
      sink.end(done);
    };
    send();
  });
}
