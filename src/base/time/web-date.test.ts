import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { webDateMs } from "./web-date.ts";

const instant = Date.UTC(2017, 0, 5, 12, 34, 51);

test("one instant in every form the web writes", () => {
  const forms = [
    "Thu, 05 Jan 2017 12:34:51 GMT",
    "Thu, 05 Jan 2017 13:34:51 +0100",
    "Thu, 05 Jan 17 13:34:51 +0100",
    "Thu, 05 Jan 2017 07:04:51 -0530",
    "2017-01-05T04:34:51-08:00",
    "5 Jan 2017 12:34:51",
    "05 JANUARY 2017 04:34:51 pst",
    "Thursday, 05-Jan-17 12:34:51 GMT",
    "05-Jan-2017 07:34:51 EST",
    "Thu Jan  5 12:34:51 2017",
    "Jan 5, 2017 12:34:51 UTC",
    "2017-01-05T12:34:51Z",
    "2017-01-05T12:34:51.999Z",
    "2017-01-05 12:34:51 +00:00",
    "2017-01-05T18:04:51+05:30",
    "20170105T123451Z",
    " 2017-01-05T12:34:51-00 ",
    "Thu, 05 Jan 2017 12:34:51 GMT+00:00",
  ];
  for (const form of forms) assert.equal(webDateMs(form), instant, form);
});

test("a date without time is its beginning", () => {
  assert.equal(webDateMs("2017-01-05"), Date.UTC(2017, 0, 5));
  assert.equal(webDateMs("2017-01"), Date.UTC(2017, 0, 1));
  assert.equal(webDateMs("2017"), Date.UTC(2017, 0, 1));
  assert.equal(webDateMs("Jan 5, 2017"), Date.UTC(2017, 0, 5));
  assert.equal(webDateMs("0099-01-05"), new Date("0099-01-05T00:00:00Z").getTime());
});

test("years of two digits lie between 1970 and 2069, and a minute may have a leap second", () => {
  assert.equal(webDateMs("05-Jan-69 00:00:00 GMT"), Date.UTC(2069, 0, 5));
  assert.equal(webDateMs("05-Jan-70 00:00:00 GMT"), Date.UTC(1970, 0, 5));
  assert.equal(webDateMs("2016-12-31T23:59:60Z"), Date.UTC(2017, 0, 1));
  assert.equal(webDateMs("2016-12-31T23:59:61Z"), null);
});

test("text that is not a date is refused", () => {
  const wrong = [
    "",
    "soon",
    "2017-13-01",
    "2017-02-30",
    "31 Feb 2017",
    "2017-01-05T25:00:00Z",
    "2017-01-05T12:60:00Z",
    "2017-01-05T12:00:00 constructor",
    "12:34:51",
    "5 2017",
    "Jan",
    `2017-01-05${" ".repeat(200)}`,
  ];
  for (const text of wrong) assert.equal(webDateMs(text), null, text);
});

test("an instant survives being written and read", () => {
  const year9999 = Date.UTC(9999, 0, 1);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: year9999 / 1000 }), (seconds) => {
      const date = new Date(seconds * 1000);
      assert.equal(webDateMs(date.toISOString()), seconds * 1000);
      assert.equal(webDateMs(date.toUTCString()), seconds * 1000);
    }),
  );
});

test("any text is accepted without throwing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => void webDateMs(text)),
  );
});
