import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isFileName } from "../../base/seams/index.ts";
import { GENERATION_MAX } from "../messages/index.ts";
import { placeFolder, placesIn } from "./place-folders.ts";

test("a folder tells whose it is, whatever id an agent may have", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/),
      fc.integer({ min: 1, max: GENERATION_MAX }),
      (id, generation) => {
        const folder = placeFolder("outbox", { id, generation });
        assert.ok(isFileName(folder));
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
