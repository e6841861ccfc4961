import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../../base/errors/index.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { PageRow } from "../../../store/export/index.ts";
import { type AskedPage, printPage, readPage } from "./page-message.ts";

const ROW = { url: "http://a.example/ä", status: 200, fetchedAt: "2030-01-01T00:00:00.000Z" };
const PAGE: AskedPage = {
  row: ROW as PageRow,
  outcome: {
    kind: "record",
    record: {
      statusLine: "HTTP/1.1 200 OK",
      headers: [["Content-Type", "text/html"]],
      payload: Buffer.from([0, 255, 10, 13, 0]),
    },
  },
};

test("a page comes back as it was sent, with its body, without it, or with why there is none", () => {
  const others: AskedPage[] = [
    { row: ROW as PageRow, outcome: { kind: "absent" } },
    { row: ROW as PageRow, outcome: { kind: "damaged", reason: "a byte has changed" } },
  ];
  for (const page of [PAGE, ...others]) assert.deepEqual(readPage(printPage(page)), page);
});

test("what is cut off or altered is refused, or read as something else; nothing is thrown", () => {
  const seed = "page messages";
  const random = new SeededRandom(seed);
  const whole = printPage(PAGE);
  let refused = 0;
  for (let trial = 0; trial < 2000; trial += 1) {
    const bytes = Buffer.from(whole.subarray(0, random.below(whole.length + 1)));
    const at = random.below(Math.max(1, bytes.length));
    if (bytes.length > 0) bytes[at] = random.below(256);
    const read = readPage(bytes);
    if (isCrawlError(read)) refused += 1;
    else assert.equal(typeof read.row.url, "string", `seed ${seed}, trial ${trial}`);
  }
  assert.ok(refused > 1000, `${refused} were refused`);
});

test("messages of another form are refused, each with why", () => {
  const message = (head: unknown): Buffer => {
    const text = Buffer.from(JSON.stringify(head));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return Buffer.concat([length, text]);
  };
  for (const head of [
    {},
    { row: {} },
    { row: ROW, outcome: null },
    { row: ROW, outcome: { kind: "x" } },
  ]) {
    const read = readPage(message(head));
    assert.ok(isCrawlError(read) && read.code === "CLUSTER_ANSWER_DAMAGED", JSON.stringify(head));
  }
});
