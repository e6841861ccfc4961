import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import type { Terminal } from "../shell/terminal.ts";
import { startingOver } from "./starting-over.ts";

/** Whether the crawl may be removed after this answer; null if nobody can be asked. */
async function isAgreed(flags: readonly string[], answer: string | null): Promise<boolean> {
  const terminal = { canAsk: answer !== null, ask: async () => answer ?? assert.fail("asked") };
  const given = { has: (long: string) => flags.includes(long) };
  const agree = startingOver("crawl", given, terminal as unknown as Terminal);
  try {
    await (agree ?? assert.fail("--fresh is given"))();
    return true;
  } catch (error) {
    assert.ok(isCrawlError(error) && error.code === "USAGE_DECLINED");
    return false;
  }
}

test("only a yes removes a crawl: no other word, and not the Enter key alone", async () => {
  for (const answer of ["y", "Y", "yes", " YES \n"]) {
    assert.equal(await isAgreed(["fresh"], answer), true, answer);
  }
  for (const answer of ["", " ", "\n", "n", "no", "es", "yeah", "yy"]) {
    assert.equal(await isAgreed(["fresh"], answer), false, JSON.stringify(answer));
  }
});

test("if nobody can be asked, only --yes removes a crawl", async () => {
  assert.equal(await isAgreed(["fresh"], null), false);
  assert.equal(await isAgreed(["fresh", "yes"], null), true);
});

test("without --fresh nothing is removed", () => {
  const given = { has: (long: string) => long === "yes" };
  assert.equal(startingOver("crawl", given, {} as Terminal), null);
});
