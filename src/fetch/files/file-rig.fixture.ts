/** A folder to crawl, something secret beside it, and a fetcher of files. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { requestFor } from "../../../test/support/fetch/fetch-request.ts";
import type { FetchInFlight, FetchLimits, FetchOutcome } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { PooledSpool } from "../body/index.ts";
import { FILE_CALLS, type FileCalls } from "./file-calls.ts";
import { FileFetcher, type FileUrl } from "./index.ts";

export type FetchedFile = FetchOutcome & { kind: "fetched" };

/** A folder with `corpus/` to crawl, `secret.txt` beside it, and a fetcher for the corpus. */
export class FileRig implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trobar-files-"));
  readonly corpus: string = join(this.folder, "corpus");
  /** The only folder below which anything may be fetched. */
  root: string = this.corpus;
  readonly spool: PooledSpool;
  readonly #clock = new SystemClock();
  readonly #calls: FileCalls;

  constructor(calls: Partial<FileCalls> = {}) {
    mkdirSync(this.corpus);
    writeFileSync(join(this.folder, "secret.txt"), "secret");
    this.#calls = { ...FILE_CALLS, ...calls };
    const storage = new DiskStorage(join(this.folder, "scratch"));
    this.spool = new PooledSpool({ memoryBytes: 2 ** 20, storage, clock: this.#clock });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }

  url(path: string): string {
    return pathToFileURL(join(this.corpus, path)).href;
  }

  write(path: string, content: string | Buffer = "content"): string {
    writeFileSync(join(this.corpus, path), content);
    return this.url(path);
  }

  fetch(
    url: string,
    limits: Partial<FetchLimits> = {},
    started: (inFlight: FetchInFlight) => void = () => undefined,
  ): Promise<FetchOutcome> {
    const roots = [`${pathToFileURL(this.root).href}/` as FileUrl];
    const fetcher = new FileFetcher({
      clock: this.#clock,
      spool: this.spool,
      roots,
      calls: this.#calls,
    });
    return new Promise((resolve) => {
      let hasReturned = false;
      const inFlight = fetcher.fetch(requestFor(url, limits), (outcome) => {
        assert.ok(hasReturned, "an outcome never comes inside the call");
        resolve(outcome);
      });
      hasReturned = true;
      started(inFlight);
    });
  }

  async fetched(url: string, limits: Partial<FetchLimits> = {}): Promise<FetchedFile> {
    const outcome = await this.fetch(url, limits);
    assert.ok(outcome.kind === "fetched", JSON.stringify(outcome));
    return outcome;
  }

  /** Code and reason of a failure. */
  async failure(url: string, limits: Partial<FetchLimits> = {}): Promise<string> {
    const outcome = await this.fetch(url, limits);
    assert.ok(outcome.kind === "failed", outcome.kind);
    const { code, facts } = outcome.error;
    return [code, facts["why"] ?? facts["limit"]].filter((word) => word !== undefined).join(" ");
  }
}

export function textOf(outcome: FetchedFile): string {
  return Buffer.from(outcome.body.bytes ?? []).toString();
}

export function headerOf(outcome: FetchedFile, name: string): string | undefined {
  return outcome.headers.find(([each]) => each === name)?.[1];
}
