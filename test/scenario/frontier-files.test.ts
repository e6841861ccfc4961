/**
 * The files of a frontier are bounded by what is queued, not by what has passed: every page that is
 * fetched leads to one more, on a real disk, and a checkpoint is taken every few hundred pages.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ThreadBackground } from "../../src/base/background/index.ts";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Timer } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import type { FetchableUrl } from "../../src/formats/url/index.ts";
import {
  AddressTable,
  type Errand,
  type Frontier,
  openDiskFrontier,
} from "../../src/frontier/front/index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const PAGES = isFull ? 100_000 : 6000;
const HOSTS = 50;
/** What is queued all the time, most of it on disk. */
const QUEUED = 500;
const CHECKPOINT_PAGES = 400;
const SEGMENT_BYTES = 64 * 1024;
/** Of a URL, about; sieve and queues each write it once. */
const URL_BYTES = 1000;
const FILLER = "x".repeat(URL_BYTES - 40);

test("the files and handles of a frontier are bounded by what is queued", async (context) => {
  const root = mkdtempSync(join(tmpdir(), "trobar-frontier-files-"));
  const clock = new SystemClock();
  const background = new ThreadBackground({ storageRoot: root, clock });
  const sizes: number[] = [];
  const handles: number[] = [];
  let wake = (): void => undefined;
  const frontier = await new Promise<Frontier>((resolve, reject) => {
    openDiskFrontier(
      {
        ...{ clock, background, folder: "frontier", storage: new DiskStorage(root) },
        ...{ sieveBytes: 400_000, queueBytes: 300_000, random: new SeededRandom("files") },
        ...{ smallSieveUrls: 0, segmentBytesMax: SEGMENT_BYTES },
        addresses: new AddressTable(),
        listener: { woken: () => wake(), failed: reject },
        settings: { robots: "ignore", hostDelayMs: 0, addressDelayMs: 0, memoryBytes: 400_000 },
      },
      (error, opened) => (error === null ? resolve(opened) : reject(error)),
    );
  });
  let offered = 0;
  let fetched = 0;
  let isSaving = false;
  const offer = (): void => {
    if (offered === PAGES) return;
    const url = `http://h${offered % HOSTS}.example/${offered}-${FILLER}` as FetchableUrl;
    const key = { high: (offered * 0x9e3779b1) >>> 0, low: offered };
    offered += 1;
    frontier.offer({ url, via: null, ...key, depth: 0, redirects: 0, priority: 0 });
  };
  const save = (): void => {
    isSaving = true;
    frontier.checkpoint((...[error]) => {
      assert.equal(error, null);
      frontier.committed();
      sizes.push(logBytes(join(root, "frontier")));
      handles.push(openHandles());
      isSaving = false;
      wake();
    });
  };
  const end = (errand: Errand): void => {
    if (errand.kind === "resolve") {
      const addresses = [errand.host];
      frontier.resolved(errand, { kind: "resolved", addresses, expiresAtMs: 1e15 });
    } else if (errand.kind === "page") {
      fetched += 1;
      const answer = { status: 200, retryAfterMs: null, answerMs: 0 };
      frontier.pageFetched(errand, { kind: "answered", ...answer });
      offer();
    }
  };
  for (let count = 0; count < QUEUED; count += 1) offer();
  await new Promise<void>((resolve) => {
    let next: Timer | null = null;
    // Whoever wakes it does not wait for a host's turn, which may be a second away.
    const later = (delayMs: number): void => {
      next?.cancel();
      next = clock.after(delayMs, turn);
    };
    const turn = (): void => {
      for (let left = 100; left > 0 && !isSaving; left -= 1) {
        const errand = frontier.acquire();
        if (errand === null) break;
        end(errand);
        if (errand.kind === "page" && fetched % CHECKPOINT_PAGES === 0) save();
        if (left === 1) later(0);
      }
      const { nextAtMs } = frontier;
      if (fetched === PAGES && !isSaving) resolve();
      else if (nextAtMs !== Number.POSITIVE_INFINITY) later(Math.max(0, nextAtMs - clock.nowMs()));
    };
    wake = () => later(0);
    wake();
  });
  await new Promise<void>((resolve) => frontier.close(() => resolve()));
  await new Promise<void>((resolve) => background.close(resolve));
  rmSync(root, { recursive: true });
  // Sieve and queues have what is queued, files that are not yet full, and what the checkpoint before needs.
  const bytesMax = 4 * (QUEUED + CHECKPOINT_PAGES) * URL_BYTES + 8 * SEGMENT_BYTES;
  const most = Math.max(...sizes);
  context.diagnostic(`${PAGES} pages of ${URL_BYTES} bytes: ${most} bytes at most`);
  assert.ok(PAGES * URL_BYTES > bytesMax, "much more has passed than there may be");
  assert.ok(most <= bytesMax, `${most} bytes`);
  assert.ok(Math.max(...handles) <= (handles[1] ?? 0) + 40, `${Math.max(...handles)} handles`);
});

/** All but what was seen: the runs of the sieve. */
function logBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const counted = files.filter((file) => file.isFile() && !file.parentPath.endsWith("runs"));
  return counted
    .map((file) => statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** Where the system does not tell, none. */
function openHandles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}
