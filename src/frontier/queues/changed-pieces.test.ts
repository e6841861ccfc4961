import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChangedPieces } from "./changed-pieces.ts";

const PIECES = 12;

test("what is recorded is always the state of the moment of one checkpoint", () => {
  const kinds = fc.constantFrom("change", "change", "change", "begin", "write", "commit");
  const events = fc.array(fc.tuple(kinds, fc.nat(PIECES - 1), fc.nat(9)), { maxLength: 200 });
  fc.assert(
    fc.property(events, (moves) => {
      const state = new Map<number, number>();
      const recorded = new Map<number, number>();
      const pieces = new ChangedPieces((piece) => {
        const value = state.get(piece);
        return value === undefined ? null : Uint8Array.of(value);
      });
      let moment: Map<number, number> | null = null;
      let taken = new Map<number, Uint8Array | null>();
      for (const [kind, piece, value] of moves) {
        if (kind === "change") {
          pieces.changing(piece);
          if (value === 0) state.delete(piece);
          else state.set(piece, value);
        } else if (kind === "begin") {
          moment = new Map(state);
          taken = new Map();
          pieces.begin((of, bytes) => void taken.set(of, bytes));
        } else if (kind === "write") pieces.writeSome(70 * value);
        else if (moment !== null && pieces.writeSome(Number.POSITIVE_INFINITY)) {
          for (const [of, bytes] of taken) {
            if (bytes === null) recorded.delete(of);
            else recorded.set(of, bytes[0] as number);
          }
          pieces.committed();
          assert.deepEqual(sorted(recorded), sorted(moment));
          moment = null;
        }
      }
    }),
  );
});

test("a piece that did not change is not written again", () => {
  const pieces = new ChangedPieces((piece) => Uint8Array.of(piece));
  const taken: number[] = [];
  const round = (): void => {
    pieces.begin((piece) => taken.push(piece));
    assert.ok(pieces.writeSome(1e6));
  };
  for (const piece of [1, 2, 3]) pieces.changing(piece);
  round();
  round();
  assert.deepEqual(taken.splice(0), [1, 2, 3, 1, 2, 3], "again until it is recorded");
  pieces.committed();
  pieces.changing(2);
  round();
  assert.deepEqual(taken, [2]);
});

function sorted(map: ReadonlyMap<number, number>): [number, number][] {
  return [...map].sort(([one], [other]) => one - other);
}
