import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestFor } from "../../../test/support/fetch/fetch-request.ts";
import { MemorySpool } from "../../../test/support/fetch/memory-spool.ts";
import { passUntil, timeByHand } from "../../../test/support/fetch/time-by-hand.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { FetchInFlight, FetchLimits, FetchOutcome } from "../../base/seams/index.ts";
import type { BodySpool } from "../body/index.ts";
import { ModuleFetcher } from "./module-fetcher.ts";
import type { ProtocolRequest } from "./protocol-module.ts";

const URL_OF_ALL = "ftp://host.example/a";

interface Wish {
  readonly url?: string;
  readonly address?: string | null;
  readonly limits?: Partial<FetchLimits>;
  readonly spool?: (spool: BodySpool) => BodySpool;
  readonly cancelled?: boolean;
}

interface Fetched {
  readonly outcome: FetchOutcome;
  /** What the module was asked. */
  readonly requests: readonly ProtocolRequest[];
}

/** Fetches once by a module that answers as `answer` does; time passes until the outcome. */
async function fetchBy(
  answer: (request: ProtocolRequest) => unknown,
  wish: Wish = {},
): Promise<Fetched> {
  const time = timeByHand();
  const memory = new MemorySpool(time.clock);
  const requests: ProtocolRequest[] = [];
  const fetcher = new ModuleFetcher({
    ...{ clock: time.clock, spool: wish.spool?.(memory) ?? memory, module: "./mine.js" },
    protocol: {
      fetch: (request) => {
        requests.push(request);
        return answer(request) as never;
      },
    },
    mayConnect: (address, port) =>
      port === 666 ? new CrawlError("FETCH_PORT_REFUSED", "no", { address, port }) : null,
  });
  const { url = URL_OF_ALL, address = "192.0.2.1", limits } = wish;
  let count = 0;
  const coming = new Promise<FetchOutcome>((resolve) => {
    let hasReturned = false;
    const request = {
      ...requestFor(url, limits),
      address,
      headers: [["User-Agent", "x"]] as const,
    };
    const inFlight: FetchInFlight = fetcher.fetch(request, (outcome) => {
      assert.ok(hasReturned, "an outcome never comes inside the call");
      count += 1;
      resolve(outcome);
    });
    hasReturned = true;
    if (wish.cancelled === true) inFlight.cancel();
  });
  const outcome = await passUntil(time, coming, { ms: 10 });
  await passUntil(time, new Promise(setImmediate), { ms: 100_000 });
  assert.equal(count, 1, "there is one outcome");
  assert.equal(memory.heldBytes, 0);
  return { outcome, requests };
}

/** `status bytes truncation`, or the code and limit of a failure. */
async function told(answer: (request: ProtocolRequest) => unknown, wish?: Wish): Promise<string> {
  const { outcome } = await fetchBy(answer, wish);
  if (outcome.kind === "cancelled") return outcome.kind;
  if (outcome.kind === "failed") {
    const { code, facts } = outcome.error;
    return `${code} ${facts["limit"] ?? ""}`.trim();
  }
  return `${outcome.status} ${outcome.body.lengthBytes} ${outcome.truncatedBy}`;
}

async function reason(answer: () => unknown): Promise<string> {
  const { outcome } = await fetchBy(answer);
  assert.ok(outcome.kind === "failed", outcome.kind);
  assert.equal(outcome.error.code, "FETCH_MODULE_FAILED");
  return outcome.error.message;
}

const never = (): Promise<never> => new Promise(() => undefined);

test("a module is told what to fetch, from which address, and who asks", async () => {
  const { requests } = await fetchBy(() => ({}), { url: "ftp://[2001:db8::1]:2121/a?b" });
  const [request] = requests;
  assert.ok(request !== undefined);
  const { signal, limits, ...facts } = request;
  assert.deepEqual(facts, {
    url: "ftp://[2001:db8::1]:2121/a?b",
    host: "2001:db8::1",
    address: "192.0.2.1",
    port: 2121,
    headers: [["User-Agent", "x"]],
  });
  assert.deepEqual(limits, { totalTimeoutMs: 120_000, bodyBytesMax: 10 * 2 ** 20 });
  assert.equal(signal.aborted, false);
});

test("the port is that of the scheme unless the URL names one", async () => {
  const { requests } = await fetchBy(() => ({}));
  assert.equal(requests[0]?.port, 21);
});

test("an answer is an outcome, whatever kind of body it has", async () => {
  async function* later(): AsyncGenerator<string | Uint8Array> {
    yield "hel";
    yield Buffer.from("lo");
  }
  const bodies = ["hello", Buffer.from("hello"), ["hel", Buffer.from("lo")], later()];
  for (const body of bodies) {
    const headers = { "Content-Type": " text/plain ", ETag: "caf\u00e9" };
    const { outcome } = await fetchBy(async () => ({ status: 203, headers, body }));
    assert.ok(outcome.kind === "fetched");
    assert.equal(Buffer.from(outcome.body.bytes ?? []).toString(), "hello");
    assert.deepEqual(outcome.headers, [
      ["Content-Type", "text/plain"],
      ["ETag", "caf\u00e9"],
    ]);
    assert.deepEqual([outcome.status, outcome.truncatedBy, outcome.request], [203, null, null]);
  }
  assert.equal(await told(() => ({})), "200 0 null");
});

describe("whatever is not an answer is a failure of the module", () => {
  const answers: readonly (readonly [answer: unknown, reason: RegExp])[] = [
    [undefined, /answered with undefined, not an object/],
    [null, /answered with null/],
    ["text", /answered with string/],
    [{ status: 199 }, /status of its answer is 199, not from 200 to 599/],
    [{ status: "200" }, /status of its answer is "200"/],
    [{ headers: null }, /headers of its answer are null/],
    [{ headers: { "a b": "c" } }, /header "a b" is not one line of Latin-1/],
    [{ headers: { a: "b\r\nc: d" } }, /header "a" is not one line/],
    [{ headers: { a: 1 } }, /header "a" is not one line/],
    [{ headers: { a: "b".repeat(70_000) } }, /headers are longer than 65536 bytes/],
    [{ body: 7 }, /body of its answer is 7, not bytes, text or pieces/],
    [{ body: {} }, /body of its answer is object/],
  ];
  for (const [answer, expected] of answers) {
    test(String(expected), async () => assert.match(await reason(() => answer), expected));
  }
});

test("what a module throws is a failure with its reason, on one short line", async () => {
  const thrown = [new Error("550 no such\u001b file.\nstack"), "x".repeat(5000), null, Symbol("s")];
  for (const each of thrown) {
    const message = await reason(() => {
      throw each;
    });
    assert.match(message, /^Could not fetch "ftp:\/\/host.example\/a": the protocol module/);
    assert.ok(!message.includes("\n") && !message.includes("\u001b"));
    assert.ok(message.length < 500);
    assert.equal(await reason(() => Promise.reject(each)), message);
  }
  const unprintable = {
    toString: () => {
      throw new Error("no");
    },
  };
  assert.match(await reason(() => Promise.reject(unprintable)), /something that cannot be shown/);
});

test("a module that never answers is given up, and told so", async () => {
  const limits = { connectTimeoutMs: 100, headerTimeoutMs: 200 };
  let aborted = false;
  const hanging = ({ signal }: ProtocolRequest): Promise<never> => {
    signal.addEventListener("abort", () => {
      aborted = true;
    });
    return never();
  };
  assert.equal(await told(hanging, { limits }), "FETCH_TIMED_OUT header");
  assert.ok(aborted);
  const total = { limits: { totalTimeoutMs: 100 } };
  assert.equal(await told(hanging, total), "FETCH_TIMED_OUT total");
});

test("what a module does after it was given up is ignored", async () => {
  const late = ({ signal }: ProtocolRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => {
        resolve({ body: "late" });
        reject(new Error("late"));
      });
    });
  assert.equal(await told(late, { limits: { totalTimeoutMs: 50 } }), "FETCH_TIMED_OUT total");
  assert.equal(await told(late, { cancelled: true }), "cancelled");
});

test("a body that stops coming, or comes too slowly, is cut by time", async () => {
  async function* hanging(): AsyncGenerator<string> {
    yield "hello";
    await never();
  }
  const limits = { idleTimeoutMs: 100 };
  assert.equal(await told(() => ({ body: hanging() }), { limits }), "200 5 time");
  async function* dripping(): AsyncGenerator<string> {
    for (;;) {
      await new Promise(setImmediate);
      yield ".";
    }
  }
  const slow = { idleTimeoutMs: 100, bytesPerSecondMin: 10_000 };
  assert.match(await told(() => ({ body: dripping() }), { limits: slow }), /^200 \d+ time$/);
});

test("a body is cut at the limit, and the rest is not asked for", async () => {
  let isLeft = false;
  let given = 0;
  function* endless(): Generator<Uint8Array> {
    try {
      for (;;) {
        given += 1;
        yield new Uint8Array(1000);
      }
    } finally {
      isLeft = true;
    }
  }
  const limits = { bodyBytesMax: 100_500 };
  assert.equal(await told(() => ({ body: endless() }), { limits }), "200 100500 length");
  assert.deepEqual([isLeft, given], [true, 101]);
  const whole = { body: new Uint8Array(200_000) };
  assert.equal(await told(() => whole, { limits }), "200 100500 length");
  assert.equal(await told(() => whole, { limits: { bodyBytesMax: 200_000 } }), "200 200000 null");
});

test("a module that never waits does not keep others from their turn", async () => {
  function* empty(): Generator<string> {
    for (;;) yield "";
  }
  const limits = { idleTimeoutMs: 100 };
  assert.equal(await told(() => ({ body: empty() }), { limits }), "200 0 time");
});

test("a body that fails in the middle is kept as far as it came", async () => {
  async function* failing(): AsyncGenerator<string> {
    yield "hello";
    throw new Error("connection lost");
  }
  assert.equal(await told(() => ({ body: failing() })), "200 5 disconnect");
  assert.equal(await told(() => ({ body: ["hello", 7] })), "200 5 disconnect");
});

test("a spool that is behind is waited for, and its time is not the server's", async () => {
  const behind = (spool: BodySpool): BodySpool => ({
    open: (expectedBytes, drained) => {
      const sink = spool.open(expectedBytes, drained);
      return {
        ...sink,
        write: (bytes, from, to) => {
          sink.write(bytes, from, to);
          setImmediate(drained);
          return false;
        },
      };
    },
  });
  const body = ["a".repeat(100_000), "b".repeat(10)];
  const limits = { bytesPerSecondMin: 1e9, idleTimeoutMs: 5 };
  assert.equal(await told(() => ({ body }), { spool: behind, limits }), "200 100010 null");
});

test("an address that may not be connected to never reaches the module", async () => {
  const { outcome, requests } = await fetchBy(() => ({}), { url: "ftp://host.example:666/" });
  assert.ok(outcome.kind === "failed");
  assert.equal(outcome.error.code, "FETCH_PORT_REFUSED");
  assert.deepEqual(requests, []);
  assert.equal(await told(() => ({}), { address: null }), "FETCH_MODULE_FAILED");
});

test("our own mistakes are told apart from those of the module", async () => {
  const spool = (): BodySpool => ({
    open: () => {
      throw new Error("planted");
    },
  });
  assert.equal(await told(() => ({ body: "x" }), { spool }), "INTERNAL_FETCH");
});
