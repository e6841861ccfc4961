import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { placeFolder, placesIn } from "./place-folders.ts";

test("a folder tells whose it is, whatever is in the id", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: "binary" }),
      fc.integer({ min: 1 }),
      (id, generation) => {
        const folder = placeFolder("outbox", { id, generation });
        assert.match(folder, /^outbox\/[A-Za-z0-9_.-]+$/);
        assert.deepEqual(placesIn("outbox", [`${folder}/log.1`, `${folder}/log.2`]), [
          { id, generation },
        ]);
      },
    ),
  );
});

test("files of other folders belong to nobody", () => {
  const files = ["held/a.1/log", "outbox/readme", "outbox/a/log", "outbox.old/a.1/log"];
  assert.deepEqual(placesIn("outbox", files), []);
});
