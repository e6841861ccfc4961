import assert from "node:assert/strict";
import { test } from "node:test";
import { getSurt } from "../../../../test/support/formats/warcio.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import { ExportTally } from "../output/export-tally.ts";
import type { LineSorter } from "../output/line-sorter.ts";
import type { ArchivedAnswer, ExportSource } from "../source/export-source.ts";
import { addCdxjLines, replayKey } from "./cdxj.ts";

test("a record that its file does not have to the end is not listed, but told", async () => {
  const answerAt = (offset: number): ArchivedAnswer => ({
    ...{ url: `http://a.test/${offset}`, fetchedAtMs: 0, mime: "text/html", status: 200 },
    ...{ digest: null, warc: "x.warc.gz", offset, length: 100, page: null },
  });
  const source = {
    answers: async function* () {
      yield [0, 100, 150, 200].map(answerAt);
    },
    lengthOf: async () => 200,
  };
  const tally = new ExportTally();
  const lines: string[] = [];
  const job = {
    ...{ source: source as unknown as ExportSource, accepts: null, tally },
    ...{ signal: new AbortController().signal, progress: () => undefined },
    ...{ random: new SeededRandom(1), nowMs: 0, software: "test", scratch: "" },
  };
  await addCdxjLines(job, { add: (line: string) => lines.push(line) } as unknown as LineSorter);
  assert.deepEqual([lines.length, tally.counts.written, tally.counts.damaged], [2, 2, 2]);
  assert.deepEqual(
    tally.problems.map(({ url }) => url),
    ["http://a.test/150", "http://a.test/200"],
  );
});

test("a URL is looked up by the key that warcio gives it", () => {
  const urls = [
    "http://example.org/",
    "https://www2.example.org:8443/A/b?z=1&a=%7e&&B",
    "http://a.test/x?",
    "http://[2001:db8::1]:8080/",
    "http://192.0.2.1/Path;x=1",
    "ftp://example.org/file",
    "not a url",
  ];
  for (const url of urls) assert.equal(replayKey(url), getSurt(url), url);
});

test("a host that is called www and nothing else keeps its name", () => {
  assert.equal(replayKey("http://www./"), ",www)/");
  assert.equal(replayKey("http://www2./x"), ",www2)/x");
  assert.equal(replayKey("http://WWW.example.org/A"), "org,example)/a");
});
