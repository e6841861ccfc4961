/** What is changed here, and what everywhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../../base/errors/index.ts";
import type { Refusal } from "./member-calls.ts";
import { MemberUnits, type MemberUnitsParts } from "./member-units.ts";

interface Rig {
  readonly units: MemberUnits;
  readonly notes: string[];
}

/** An agent whose changes are noted, `mistake` what it says to them itself. */
function rigOf(mistake: CrawlError | null = null, refusals: readonly Refusal[] = []): Rig {
  const notes: string[] = [];
  const here = async (...changed: readonly unknown[]): Promise<readonly never[]> => {
    notes.push(`here ${JSON.stringify(changed)}`);
    if (mistake !== null) throw mistake;
    return [];
  };
  const parts = {
    local: { change: here, set: here },
    shared: {
      change: async (change: object) => {
        notes.push(`all ${JSON.stringify(change)}`);
        return 2;
      },
    },
    calls: {
      all: async (what: string, asked: object) => {
        notes.push(`each ${what} ${JSON.stringify(asked)}`);
        return { answers: new Map(), refusals, missing: [] };
      },
    },
  };
  return { units: new MemberUnits(parts as unknown as MemberUnitsParts), notes };
}

test("a shared key goes to all, one of this agent to nobody, a setting of a unit to each", async () => {
  const { units, notes } = rigOf();
  await units.set("fetch.retries", "7");
  await units.set("fetch.pagesPerSecond", "900");
  await units.set("titles.length", "80");
  const values = { "fetch.retries": "8", "fetch.pagesPerSecond": "9", length: "90" };
  await units.change("titles", values);
  assert.deepEqual(notes, [
    'here ["fetch.retries","7"]',
    'all {"values":{"fetch.retries":"7"}}',
    'here ["fetch.pagesPerSecond","900"]',
    'here ["titles.length","80"]',
    'each change {"id":"titles","values":{"length":"80"}}',
    `here ["titles",${JSON.stringify(values)}]`,
    'all {"values":{"fetch.retries":"8"}}',
    'each change {"id":"titles","values":{"length":"90"}}',
  ]);
});

test("what is refused here is told to nobody", async () => {
  const { units, notes } = rigOf(new CrawlError("CONFIG_INVALID", "many is not a number"));
  await assert.rejects(units.set("fetch.retries", "many"), { code: "CONFIG_INVALID" });
  await assert.rejects(units.change("titles", { length: "many" }), { code: "CONFIG_INVALID" });
  assert.deepEqual(
    notes.filter((note) => !note.startsWith("here")),
    [],
  );
});

test("it is told which agent has refused a setting", async () => {
  const refusal: Refusal = { agent: "b", code: "CONTROL_NOT_FOUND", text: "there is no such unit" };
  const { units } = rigOf(null, [refusal]);
  await assert.rejects(units.set("titles.length", "80"), {
    code: "CONTROL_NOT_FOUND",
    message: /agent b has not taken it over: there is no such unit/,
  });
});
