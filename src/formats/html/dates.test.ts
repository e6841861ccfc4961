import assert from "node:assert/strict";
import { test } from "node:test";
import { isoDate } from "./dates.ts";

test("dates of pages are brought to one form", () => {
  const cases = {
    "2026-01-31": "2026-01-31",
    " 2026-01-31 ": "2026-01-31",
    "2026-02-31": "",
    "2026-02-31T10:00:00Z": "",
    "2026-01-31T12:00:00Z": "2026-01-31T12:00:00.000Z",
    "2026-01-31T12:00:00+0200": "2026-01-31T10:00:00.000Z",
    "2026-01-31T12:00:00,5+02": "2026-01-31T10:00:00.500Z",
    "2026-01-31 12:00 -05:30": "2026-01-31T17:30:00.000Z",
    "2026-01-31T12:00:00": "2026-01-31T12:00:00.000Z",
    "2026-01-31T99:00:00": "",
    "Sat, 31 Jan 2026 12:00:00 GMT": "2026-01-31T12:00:00.000Z",
    "31 Jan 2026 12:00 +0100": "2026-01-31T11:00:00.000Z",
    "31 January, last year": "",
    "2026": "",
    "": "",
    [`2026-01-31${" ".repeat(100)}`]: "",
  };
  for (const [written, date] of Object.entries(cases))
    assert.equal(isoDate(written), date, written);
});
