/** Crawls whose process is killed or loses power again and again, at any moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as door from "../../src/frontier/front/index.ts";
import { optionsOf, tryKilledCrawl } from "./killed-trial.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const SEEDS = isFull ? 3000 : 80;
const KINDS = 20;
/** In these a page is refused after its line was lost, and its links are known. */
const KEPT_SEEDS = [800, 1423];

for (let kind = 0; kind < KINDS; kind += 1) {
  const { traversal, lanes, depthMax, settings } = optionsOf(kind);
  const what = `${traversal}, lanes ${lanes}, depth ${depthMax ?? "any"}, ${settings.memoryBytes} bytes`;
  test(`a crawl that is killed loses nothing and visits nothing again (${what})`, () => {
    let kills = 0;
    const seeds = KEPT_SEEDS.filter((seed) => seed % KINDS === kind);
    for (let seed = kind; seed < SEEDS; seed += KINDS) seeds.push(seed);
    for (const seed of seeds) {
      try {
        kills += tryKilledCrawl(seed, door).kills;
      } catch (error) {
        throw new Error(`seed ${seed}: ${error}`, { cause: error });
      }
    }
    assert.ok(kills > 0, "some were killed");
  });
}
