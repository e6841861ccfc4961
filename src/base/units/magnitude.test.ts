import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Parsed,
  parseBytes,
  parseCount,
  parseDuration,
  printBytes,
  printCount,
  printDuration,
} from "./index.ts";

const PAIRS = [
  { name: "counts", parse: parseCount, print: printCount },
  { name: "byte sizes", parse: parseBytes, print: printBytes },
  { name: "durations", parse: parseDuration, print: printDuration },
] as const;

for (const { name, parse, print } of PAIRS) {
  test(`${name} that are printed read back as the same number`, () => {
    const values = fc.oneof(
      fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      fc.nat({ max: 5000 }),
      fc
        .tuple(fc.nat({ max: 999 }), fc.constantFrom(1000, 1024, 6e4, 36e5, 2 ** 30))
        .map(([count, factor]) => count * factor),
    );
    fc.assert(
      fc.property(values, (value) => {
        assert.deepEqual(parse(print(value)), { ok: true, value });
      }),
    );
  });

  test(`${name} never throw, and are whole and exact where they are accepted`, () => {
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[-+]?[0-9._]{0,20} ?[a-zA-Z]{0,3}$/),
      fc.constantFrom("NaN", "Infinity", "constructor", "1constructor", "1__proto__", "1toString"),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parse(text);
        if (parsed.ok) assert.ok(Number.isSafeInteger(parsed.value) && parsed.value >= 0);
        else assert.ok(parsed.problem.length > 0);
      }),
    );
  });
}

const ACCEPTED: readonly (readonly [parse: (text: string) => Parsed, text: string, number])[] = [
  [parseCount, "0", 0],
  [parseCount, "100k", 100_000],
  [parseCount, "100K", 100_000],
  [parseCount, "2M", 2_000_000],
  [parseCount, "64Ki", 65_536],
  [parseCount, "1.5k", 1500],
  [parseCount, " 7 ", 7],
  [parseBytes, "10Mi", 10_485_760],
  [parseBytes, "10MiB", 10_485_760],
  [parseBytes, "10 MB", 10_000_000],
  [parseBytes, "1Gi", 2 ** 30],
  [parseBytes, "500B", 500],
  [parseDuration, "0", 0],
  [parseDuration, "250ms", 250],
  [parseDuration, "1.5s", 1500],
  [parseDuration, "10m", 600_000],
  [parseDuration, "1d", 86_400_000],
];

for (const [parse, text, value] of ACCEPTED) {
  test(`"${text}" is ${value} by ${parse.name}`, () => {
    assert.deepEqual(parse(text), { ok: true, value });
  });
}

const REFUSED: readonly (readonly [parse: (text: string) => Parsed, text: string, RegExp])[] = [
  [parseCount, "", /is empty/],
  [parseCount, "many", /not a number/],
  [parseCount, "-1", /is negative/],
  [parseCount, "+1", /has a sign/],
  [parseCount, "0x10", /not decimal/],
  [parseCount, "1e3", /exponent/],
  [parseCount, "007", /needless zero/],
  [parseCount, "100_000", /separators/],
  [parseCount, "1.5", /not a whole number/],
  [parseCount, "1m", /unknown unit "m"/],
  [parseCount, "1constructor", /unknown unit/],
  [parseCount, "9007199254740992", /too large/],
  [parseCount, "9".repeat(100), /too long/],
  [parseCount, "NaN", /not a number/],
  [parseBytes, "0.1Ki", /not a whole number of bytes/],
  [parseBytes, "10mb", /unknown unit "mb"; the units are k, M/],
  [parseDuration, "5", /has no unit; write one of ms, s, m, h, d/],
  [parseDuration, "5 minutes", /unknown unit "minutes"/],
  [parseDuration, "1h30m", /not a duration such as/],
  [parseDuration, "0.1ms", /not a whole number of milliseconds/],
];

for (const [parse, text, problem] of REFUSED) {
  test(`"${text.slice(0, 20)}" is refused by ${parse.name}`, () => {
    const parsed = parse(text);
    assert.ok(!parsed.ok);
    assert.match(parsed.problem, problem);
  });
}

test("the largest unit that fits exactly is printed", () => {
  assert.equal(printDuration(90_000), "90s");
  assert.equal(printDuration(86_400_000), "1d");
  assert.equal(printBytes(10_485_760), "10Mi");
  assert.equal(printBytes(1_000_000), "1M");
  assert.equal(printCount(100_000), "100k");
  assert.equal(printCount(100_001), "100001");
});
