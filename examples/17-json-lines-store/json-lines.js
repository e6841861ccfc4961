/**
 * A store of your own: what a crawl fetches is written as lines of JSON, in place of WARC files and the
 * crawl log. It is one changed line of `topology.yaml` beside this file:
 *
 *     warcs: { unit: ./json-lines.js#jsonLines, settings: { file: pages.jsonl } }
 *
 * Try it:
 *
 *     npx trobar crawl https://example.org/ --set topology=examples/17-json-lines-store/topology.yaml
 *
 * A line is taken into memory at once and written later, many together. Nothing is taken while too much
 * waits: the crawl then waits too. On a full disk it goes on when there is room; any other failure of
 * the file ends it.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { CrawlError, key, provider, storeRole, value } from "trobar/units";

/** Characters that may wait to be written. */
const WAITING_MAX = 16 * 1024 * 1024;

export const jsonLines = provider({
  name: "json-lines",
  provides: storeRole,
  settings: {
    file: key(value.text({ form: "the path of a file", examples: ["pages.jsonl"] }), {
      default: "pages.jsonl",
      meaning: "Where the lines are written; what is there already stays.",
    }),
  },
  create: async (unit) => {
    const file = await open(unit.settings.file, "a");
    const store = new JsonLines(file, (await file.stat()).size);
    return { service: store, close: () => store.close() };
  },
});

class JsonLines {
  /** Why nothing is taken at present: a CrawlError; null if all is well. */
  trouble = null;
  #file;
  #bytes;
  #lines = [];
  #waiting = 0;
  #isWriting = false;
  #written = [];
  #whenRoom = [];
  /** The first page with each body, by its digest. */
  #originals = new Map();

  constructor(file, bytes) {
    this.#file = file;
    this.#bytes = bytes;
  }

  get hasRoom() {
    return this.trouble === null && this.#waiting < WAITING_MAX;
  }

  /** Calls back, never inside this call, as soon as pages are taken again. */
  whenRoom(callback) {
    this.#whenRoom.push(callback);
    void this.#write();
  }

  originalOf(sha1) {
    return this.#originals.get(Buffer.from(sha1).toString("hex")) ?? null;
  }

  /** A page whose body is in memory. Null if there is no room for it. */
  tryStore(page) {
    return this.hasRoom ? this.#take(page, page.body.bytes) : null;
  }

  /** A page whose body may be on disk. */
  storeSpooled(page, done) {
    page.body.read(0, page.body.lengthBytes, (error, bytes) => {
      if (error !== null) done(error);
      else if (this.hasRoom) done(null, this.#take(page, bytes));
      else this.whenRoom(() => this.storeSpooled(page, done));
    });
  }

  /** A fetch that left nothing to keep: a failure, or an answer that is tried again. */
  tryLog({ url, result, depth, via, atMs }) {
    if (!this.hasRoom) return false;
    this.#put({ url, result, depth, via, at: new Date(atMs).toISOString() });
    return true;
  }

  /** Answers when all that was taken is durable. */
  commit(done) {
    this.flush((error) => {
      if (error === null)
        this.#file.sync().then(
          () => done(null),
          (cause) => done(failed(cause)),
        );
      else done(error);
    });
  }

  /** Answers when all that was taken is in the file, where others can read it. */
  flush(done) {
    this.#written.push(done);
    void this.#write();
  }

  async close() {
    await new Promise((resolve) => this.commit(resolve));
    await this.#file.close();
  }

  #take({ url, response, crawl, fetchedAtMs, keep, failure, isPage, sha1 }, bytes) {
    const hash = sha1 ?? createHash("sha1").update(bytes).digest();
    const digest = Buffer.from(hash).toString("hex");
    const duplicateOf = this.#originals.get(digest) ?? null;
    const hasBody = keep === "whole" && duplicateOf === null;
    if (hasBody && isPage !== false) this.#originals.set(digest, url);
    this.#put({
      ...{ url, result: failure ?? response.status, depth: crawl.depth, via: crawl.via },
      at: new Date(fetchedAtMs).toISOString(),
      headers: response.headers,
      ...(duplicateOf === null ? {} : { duplicateOf }),
      ...(hasBody ? { body: Buffer.from(bytes).toString("base64") } : {}),
    });
    return { place: null, digest: `sha1:${digest}`, duplicateOf };
  }

  #put(fields) {
    const line = `${JSON.stringify(fields)}\n`;
    this.#lines.push(line);
    this.#waiting += line.length;
    if (this.#waiting > WAITING_MAX / 2) void this.#write();
  }

  /** Writes what waits, and tells those who wait for it. One piece of work after the other. */
  async #write() {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#lines.length + this.#written.length + this.#whenRoom.length > 0) {
      const [lines, written] = [this.#lines, this.#written];
      [this.#lines, this.#written] = [[], []];
      this.trouble = await this.#append(lines);
      for (const done of written) done(this.trouble);
      // The next commit tries again.
      if (this.trouble !== null) break;
      for (const callback of this.#whenRoom.splice(0)) callback();
    }
    this.#isWriting = false;
  }

  /** What was written of lines that do not fit is taken back. */
  async #append(lines) {
    const bytes = Buffer.from(lines.join(""));
    try {
      await this.#file.appendFile(bytes);
      this.#bytes += bytes.length;
      this.#waiting = this.#lines.reduce((sum, line) => sum + line.length, 0);
      return null;
    } catch (cause) {
      this.#lines.unshift(...lines);
      await this.#file.truncate(this.#bytes).catch(() => {});
      return failed(cause);
    }
  }
}

/** A full disk is waited for; after anything else the crawl ends. */
function failed(cause) {
  const code = cause.code === "ENOSPC" ? "STORE_FULL" : "STORE_FAILED";
  return new CrawlError(
    code,
    `The lines of pages could not be written: ${cause.message}.`,
    {},
    cause,
  );
}
