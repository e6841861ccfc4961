/** The frontier on a real disk, with its merges in a real thread. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ThreadBackground } from "../../src/base/background/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import type { FetchableUrl } from "../../src/formats/url/index.ts";
import {
  AddressTable,
  type Errand,
  type Frontier,
  openDiskFrontier,
} from "../../src/frontier/front/index.ts";

const HOSTS = 100;
const PAGES = 60;

/** Ends an errand as a good web would; says which page it was. */
function end(frontier: Frontier, errand: Errand): string | null {
  if (errand.kind === "resolve") {
    const addresses = [errand.host];
    frontier.resolved(errand, { kind: "resolved", addresses, expiresAtMs: 1e15 });
  } else if (errand.kind === "page") {
    const answer = { status: 200, retryAfterMs: null, answerMs: 0 };
    frontier.pageFetched(errand, { kind: "answered", ...answer });
    return errand.ticket.url;
  }
  return null;
}

test("every URL comes out of a frontier on disk once", async () => {
  const root = mkdtempSync(join(tmpdir(), "trobar-frontier-"));
  const clock = new SystemClock();
  const background = new ThreadBackground({ storageRoot: root, clock });
  let woken = (): void => undefined;
  const frontier = await new Promise<Frontier>((resolve, reject) => {
    openDiskFrontier(
      {
        ...{ clock, background, folder: "frontier", storage: new DiskStorage(root) },
        ...{ sieveBytes: 80_000, queueBytes: 40_000, random: new SeededRandom("disk") },
        addresses: new AddressTable(),
        listener: { woken: () => woken(), failed: reject },
        settings: { robots: "ignore", hostDelayMs: 0, addressDelayMs: 0, memoryBytes: 40_000 },
      },
      (error, opened) => (error === null ? resolve(opened) : reject(error)),
    );
  });
  const fetched: string[] = [];
  const urls: string[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    for (let host = 0; host < HOSTS; host += 1) {
      const url = `http://h${host}.example/page-${page}` as FetchableUrl;
      urls.push(url);
      const key = { high: host, low: page, depth: 0, redirects: 0, priority: 0 };
      for (let time = 0; time < 2; time += 1) frontier.offer({ url, via: null, ...key });
    }
  }
  await new Promise<void>((resolve) => {
    const turn = (): void => {
      for (let errand = frontier.acquire(); errand !== null; errand = frontier.acquire()) {
        const url = end(frontier, errand);
        if (url !== null) fetched.push(url);
      }
      if (frontier.isExhausted) resolve();
      else if (frontier.nextAtMs !== Number.POSITIVE_INFINITY) {
        clock.after(Math.max(0, frontier.nextAtMs - clock.nowMs()), turn);
      }
    };
    woken = turn;
    turn();
  });
  assert.deepEqual(fetched.toSorted(), urls.toSorted());
  await new Promise<void>((resolve) => frontier.close(() => resolve()));
  await new Promise<void>((resolve) => background.close(resolve));
  rmSync(root, { recursive: true });
});
