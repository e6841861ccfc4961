import assert from "node:assert/strict";
import { test } from "node:test";
import { scanPieces } from "../scan-pieces.ts";
import { ProblemList } from "./problem-list.ts";
import { type LoggedPlace, RecordCheck } from "./verify-records.ts";

const BLOCK = "HTTP/1.1 200 OK\r\n\r\nx";

function recordWith(...fields: string[]): string {
  const head = ["WARC/1.1", "WARC-Type: response", "WARC-Target-URI: http://a.test/", ...fields];
  return `${head.join("\r\n")}\r\nContent-Length: ${BLOCK.length}\r\n\r\n${BLOCK}\r\n\r\n`;
}

async function problemsOf(
  text: string,
  { isSettled, places }: { isSettled: boolean; places: readonly LoggedPlace[] | null },
): Promise<string[]> {
  const problems = new ProblemList();
  const counts = { files: 0, records: 0 };
  const check = new RecordCheck({
    ...{ problems, counts, places: places?.values() ?? null, links: null },
  });
  const pieces = async function* () {
    yield Buffer.from(text);
  };
  const file = { name: "x.warc", path: "warc/x.warc", isSettled, steps: scanPieces(pieces()) };
  await check.check(file, () => undefined);
  check.end();
  assert.deepEqual(counts, { files: 1, records: 1 });
  return problems.kept.map(({ problem }) => problem);
}

test("an answer that no line names is a problem, unless its line may still come", async () => {
  const [problem = ""] = await problemsOf(recordWith(), { isSettled: true, places: [] });
  assert.match(problem, /no line/);
  assert.deepEqual(await problemsOf(recordWith(), { isSettled: false, places: [] }), []);
});

test("a wrong digest is a problem, be it that of the block or of the payload", async () => {
  const wrong = `sha1:${"A".repeat(32)}`;
  for (const name of ["WARC-Block-Digest", "WARC-Payload-Digest"]) {
    const text = recordWith(`${name}: ${wrong}`);
    const [problem = ""] = await problemsOf(text, { isSettled: true, places: null });
    assert.match(problem, /do not have the digest/, name);
  }
});
