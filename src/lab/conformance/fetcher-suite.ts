/**
 * What every `Fetcher` must do with servers that are right, slow, wrong or gone. Servers are
 * described by scripts, so that the simulated fetcher and a real one against real sockets run the
 * same tests. Limits that must not be reached are generous, those that must be reached are tight;
 * nothing depends on the speed of the machine.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FetchInFlight, FetchOutcome, Header } from "../../base/seams/index.ts";
import type { WebScript, WebStep } from "../simulator/index.ts";
import { ask } from "./ask.ts";
import { type Opening, requestFor, ScriptedWeb } from "./scripted-web.ts";

/** Tight. */
const SOON_MS = 200;

export function fetcherSuite(name: string, open: Opening): void {
  describe(`${name} is a fetcher`, () => {
    testAnswers(open);
    testSlowness(open);
    testDisconnection(open);
    testSizes(open);
    testCancelling(open);
  });
}

function testAnswers(open: Opening): void {
  test("status, headers and body come as the server sent them", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200, ["Content-Type", "text/html"], ["X-One", "1"], ["X-Two", "a, b"], ["X-One", "2"]),
      body("<p>hello"),
      body(" world"),
    ]);
    const outcome = await web.fetched();
    assert.equal(outcome.status, 200);
    assert.equal(outcome.truncatedBy, null);
    assert.equal(textOf(outcome.body), "<p>hello world");
    const sent = outcome.headers
      .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
      .filter((line) => line.startsWith("x-") || line.startsWith("content-type"));
    assert.deepEqual(sent, ["content-type: text/html", "x-one: 1", "x-two: a, b", "x-one: 2"]);
  });

  test("the reason has no blanks around it, and may be missing", async () => {
    const scripts: WebScript[] = ["Not  Here", ""].map((reason) => ({
      steps: [{ do: "head", status: 404, reason }],
    }));
    await using web = await ScriptedWeb.ofScripts(open, scripts);
    const outcomes = await Promise.all((await web.all()).map((one) => web.whole(one)));
    assert.deepEqual(
      outcomes.map(({ reason }) => reason),
      ["Not  Here", ""],
    );
  });

  test("interim answers are skipped, and nothing of them is shown", async () => {
    await using web = await ScriptedWeb.of(open, [
      { do: "interim", status: 100 },
      { do: "interim", status: 103, headers: [["Link", "</style.css>"]] },
      head(200, ["X-One", "1"]),
      body("final"),
    ]);
    const outcome = await web.fetched();
    assert.equal(outcome.status, 200);
    assert.equal(textOf(outcome.body), "final");
    assert.ok(outcome.headers.every(([name]) => name.toLowerCase() !== "link"));
  });

  test("successive fetches from one place each have their own outcome", async () => {
    const whole: WebScript = { steps: [head(200, ["Content-Length", "5"]), body("whole")] };
    await using web = await ScriptedWeb.ofScripts(open, [whole]);
    for (let count = 0; count < 5; count++) {
      const outcome = await web.fetched();
      assert.equal(outcome.truncatedBy, null);
      assert.equal(textOf(outcome.body), "whole");
    }
  });

  test("bytes of every value come through, whatever encoding the server claims", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index * 7);
    await using web = await ScriptedWeb.of(open, [
      head(200, ["Content-Encoding", "gzip"]),
      { do: "body", bytes },
    ]);
    const outcome = await web.fetched();
    assert.ok(Buffer.compare(outcome.body, bytes) === 0);
  });

  for (const status of [201, 204, 301, 404, 429, 500, 503]) {
    test(`an answer with status ${status} is an answer, and no redirect is followed`, async () => {
      await using web = await ScriptedWeb.of(open, [head(status, ["Location", "/elsewhere"])]);
      const outcome = await web.fetched();
      assert.equal(outcome.status, status);
      assert.equal(outcome.body.length, 0);
      assert.equal(outcome.truncatedBy, null);
    });
  }

  test("the headers of the request are sent", async () => {
    await using web = await ScriptedWeb.of(open, [head(200), { do: "echo" }]);
    const headers: Header[] = [
      ["User-Agent", "Trobar/test (+https://example.org)"],
      ["X-Odd", "a:b;c"],
    ];
    const { body: echo, request } = await web.fetched({ headers });
    const lines = textOf(echo).split("\n");
    assert.ok(lines.includes("user-agent: Trobar/test (+https://example.org)"));
    assert.ok(lines.includes("x-odd: a:b;c"));
    const sent = request?.head.split("\r\n") ?? [];
    assert.match(sent[0] ?? "", /^GET \/\S* HTTP\/1\.1$/);
    assert.ok(sent.includes("X-Odd: a:b;c"), "the outcome has the request as it was sent");
    assert.deepEqual(sent.slice(-2), ["", ""]);
  });

  test("many fetches at once each have their own outcome", async () => {
    const scripts = Array.from({ length: 50 }, (_, index) => ({
      steps: [head(200), wait(index % 7), body(`page ${index}`)],
    }));
    await using web = await ScriptedWeb.ofScripts(open, scripts);
    const outcomes = await web.all();
    for (const [index, outcome] of outcomes.entries()) {
      assert.equal(textOf((await web.whole(outcome)).body), `page ${index}`);
    }
  });
}

function testSlowness(open: Opening): void {
  test("a slow server within the limits gets its time", async () => {
    await using web = await ScriptedWeb.of(open, [
      wait(30),
      head(200),
      wait(30),
      body("at last"),
      wait(30),
    ]);
    const outcome = await web.fetched();
    assert.equal(textOf(outcome.body), "at last");
    assert.equal(outcome.truncatedBy, null);
  });

  test("a server that accepts and says nothing has failed by the header limit", async () => {
    await using web = await ScriptedWeb.of(open, [{ do: "hang" }]);
    const error = await web.failed({ limits: { headerTimeoutMs: SOON_MS } });
    assert.equal(error.code, "FETCH_TIMED_OUT");
    assert.equal(error.facts["limit"], "header");
    assert.equal(error.retry, "later");
  });

  test("a server that says nothing has failed by the total limit, if that comes first", async () => {
    await using web = await ScriptedWeb.of(open, [{ do: "hang" }]);
    const error = await web.failed({ limits: { totalTimeoutMs: SOON_MS } });
    assert.equal(error.code, "FETCH_TIMED_OUT");
    assert.equal(error.facts["limit"], "total");
  });

  test("a body that stops coming is cut by time, and what came is kept", async () => {
    await using web = await ScriptedWeb.of(open, [head(200), body("half a "), { do: "hang" }]);
    const outcome = await web.fetched({ limits: { idleTimeoutMs: SOON_MS } });
    assert.equal(outcome.truncatedBy, "time");
    assert.equal(textOf(outcome.body), "half a ");
  });

  test("a body that never comes is cut by time", async () => {
    await using web = await ScriptedWeb.of(open, [head(200), { do: "hang" }]);
    const outcome = await web.fetched({ limits: { idleTimeoutMs: SOON_MS } });
    assert.equal(outcome.truncatedBy, "time");
    assert.equal(outcome.body.length, 0);
  });

  test("a body without end is cut by the total limit", async () => {
    const drip: WebStep = { do: "repeat", bytes: bytesOf("drip "), everyMs: 10 };
    await using web = await ScriptedWeb.of(open, [head(200), drip]);
    const outcome = await web.fetched({ limits: { totalTimeoutMs: 3 * SOON_MS } });
    assert.equal(outcome.truncatedBy, "time");
    assert.match(textOf(outcome.body), /^(drip )*$/);
  });

  test("a body that comes too slowly is cut by time", async () => {
    const drops = Array.from({ length: 40 }, () => [body("."), wait(20)]).flat();
    await using web = await ScriptedWeb.of(open, [head(200), ...drops]);
    const limits = { idleTimeoutMs: 2 * SOON_MS, bytesPerSecondMin: 1000 };
    const outcome = await web.fetched({ limits });
    assert.equal(outcome.truncatedBy, "time");
    assert.ok(outcome.body.length < 40);
  });

  test("a slow start is forgiven", async () => {
    await using web = await ScriptedWeb.of(open, [head(200), wait(50), body("x".repeat(10_000))]);
    const limits = { idleTimeoutMs: 20 * SOON_MS, bytesPerSecondMin: 1_000_000 };
    const outcome = await web.fetched({ limits });
    assert.equal(outcome.truncatedBy, null);
    assert.equal(outcome.body.length, 10_000);
  });
}

function testDisconnection(open: Opening): void {
  test("a server that refuses connections has failed", async () => {
    await using web = await ScriptedWeb.ofScripts(open, [{ connect: "refuse", steps: [] }]);
    const error = await web.failed();
    assert.equal(error.code, "FETCH_CONNECT_FAILED");
    assert.equal(error.retry, "later");
    const place = web.subject.places[0];
    assert.equal(error.facts["url"], place?.url);
    assert.equal(error.facts["address"], place?.address);
  });

  test("a server that hangs up before it has answered has failed", async () => {
    await using web = await ScriptedWeb.of(open, [{ do: "disconnect" }]);
    assert.equal((await web.failed()).code, "FETCH_DISCONNECTED");
  });

  test("a body that breaks off is kept as far as it came", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200),
      body("the first half"),
      wait(20),
      { do: "disconnect" },
    ]);
    const outcome = await web.fetched();
    assert.equal(outcome.truncatedBy, "disconnect");
    assert.equal(textOf(outcome.body), "the first half");
  });

  test("a body shorter than announced has broken off", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200, ["Content-Length", "100"]),
      body("too short"),
    ]);
    const outcome = await web.fetched();
    assert.equal(outcome.truncatedBy, "disconnect");
    assert.equal(textOf(outcome.body), "too short");
  });

  test("a body as long as announced is complete, even if the server stays connected", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200, ["Content-Length", "5"]),
      body("whole"),
      { do: "hang" },
    ]);
    const outcome = await web.fetched();
    assert.equal(outcome.truncatedBy, null);
    assert.equal(textOf(outcome.body), "whole");
  });

  test("an answer that is not HTTP has failed", async () => {
    const bytes = bytesOf("SSH-2.0-OpenSSH_9.2\r\n");
    await using web = await ScriptedWeb.of(open, [{ do: "garbage", bytes }, { do: "hang" }]);
    const error = await web.failed();
    assert.equal(error.code, "FETCH_PROTOCOL");
    assert.equal(error.retry, "later");
  });
}

function testSizes(open: Opening): void {
  const limits = { bodyBytesMax: 1000 };

  test("a body exactly as long as the limit is whole", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200),
      body("x".repeat(600)),
      body("y".repeat(400)),
    ]);
    const outcome = await web.fetched({ limits });
    assert.equal(outcome.body.length, 1000);
    assert.equal(outcome.truncatedBy, null);
  });

  test("a longer body is cut to the limit, to the byte", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200),
      body("x".repeat(600)),
      body("y".repeat(401)),
    ]);
    const outcome = await web.fetched({ limits });
    assert.equal(textOf(outcome.body), "x".repeat(600) + "y".repeat(400));
    assert.equal(outcome.truncatedBy, "length");
  });

  test("a longer body is cut even when its length was announced", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200, ["Content-Length", "1001"]),
      body("x".repeat(1001)),
    ]);
    const outcome = await web.fetched({ limits });
    assert.equal(outcome.body.length, 1000);
    assert.equal(outcome.truncatedBy, "length");
  });

  test("an endless body is cut to the limit", async () => {
    const flood: WebStep = { do: "repeat", bytes: bytesOf("flood "), everyMs: 0 };
    await using web = await ScriptedWeb.of(open, [head(200), flood]);
    const outcome = await web.fetched({ limits });
    assert.equal(outcome.body.length, 1000);
    assert.equal(outcome.truncatedBy, "length");
  });

  test("a head longer than the limit has failed", async () => {
    await using web = await ScriptedWeb.of(open, [
      head(200, ["X-Long", "x".repeat(5000)]),
      body("hello"),
    ]);
    const error = await web.failed({ limits: { headerBytesMax: 4096 } });
    assert.equal(error.code, "FETCH_PROTOCOL");
  });
}

function testCancelling(open: Opening): void {
  test("a fetch can be cancelled at once", async () => {
    await using web = await ScriptedWeb.of(open, [head(200), { do: "hang" }]);
    const outcome = await web.fetch({}, (inFlight) => inFlight.cancel());
    assert.deepEqual(outcome, { kind: "cancelled" });
  });

  test("cancelling twice is the same as once", async () => {
    await using web = await ScriptedWeb.of(open, [{ do: "hang" }]);
    const outcome = await web.fetch({}, (inFlight) => {
      inFlight.cancel();
      inFlight.cancel();
    });
    assert.deepEqual(outcome, { kind: "cancelled" });
  });

  test("a fetch can be cancelled while another one is answered", async () => {
    const scripts: WebScript[] = [
      { steps: [{ do: "hang" }] },
      { steps: [head(200), body("other")] },
    ];
    await using web = await ScriptedWeb.ofScripts(open, scripts);
    const { fetcher, places } = web.subject;
    const outcome = await ask<FetchOutcome>(web.subject.world, (answered) => {
      const hanging = fetcher.fetch(requestFor(places[0]), answered);
      fetcher.fetch(requestFor(places[1]), () => hanging.cancel());
    });
    assert.deepEqual(outcome, { kind: "cancelled" });
  });

  test("cancelling afterwards is harmless", async () => {
    await using web = await ScriptedWeb.of(open, [head(200), body("done")]);
    let inFlight: FetchInFlight | undefined;
    const outcome = await web.fetch({}, (started) => {
      inFlight = started;
    });
    inFlight?.cancel();
    assert.equal(outcome.kind, "fetched");
    assert.equal((await web.fetch()).kind, "fetched");
  });
}

function head(status: number, ...headers: readonly Header[]): WebStep {
  return { do: "head", status, headers };
}

function body(text: string): WebStep {
  return { do: "body", bytes: bytesOf(text) };
}

function wait(forMs: number): WebStep {
  return { do: "wait", forMs };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
