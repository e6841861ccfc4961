/**
 * A store on PostgreSQL: every page is a row of the table `pages`. Try it, with the client from npm:
 *
 *     npm install pg
 *     export DATABASE_URL=postgresql://user:password@localhost/crawls
 *     npx trobar crawl https://example.org/ --set store.kind=./examples/18-postgresql-store/store.js
 *
 * Pages are taken into memory at once and written many together. While a batch is being written and
 * another is full, `put` returns a promise, so the crawl waits. A page that comes again, as after a
 * crash, replaces its row.
 */
import pg from "pg";

const BATCH_MAX = 50;
const TABLE = `create table if not exists pages (
  url text primary key, status integer not null, mime text, title text, language text,
  depth integer not null, fetched_at timestamptz not null, digest text,
  duplicate text, duplicate_of text, error text, body bytea)`;
const UPSERT = `insert into pages
  select * from json_populate_recordset(null::pages, $1)
  on conflict (url) do update set (status, mime, title, language, depth, fetched_at, digest,
    duplicate, duplicate_of, error, body) = (excluded.status, excluded.mime, excluded.title,
    excluded.language, excluded.depth, excluded.fetched_at, excluded.digest, excluded.duplicate,
    excluded.duplicate_of, excluded.error, excluded.body)`;

export async function createStore() {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  try {
    await client.connect();
    await client.query(TABLE);
    return new PageTable(client);
  } catch (error) {
    // Its socket would keep the program alive.
    await client.end();
    throw error;
  }
}

class PageTable {
  #client;
  /** By URL: one statement must not have a row twice. */
  #batch = new Map();
  #writing = null;

  constructor(client) {
    this.#client = client;
  }

  async put(page) {
    const row = {
      ...{ url: page.url, status: page.status, mime: page.mime, title: clean(page.title) },
      ...{ language: page.language, depth: page.depth, fetched_at: page.fetchedAt },
      ...{ digest: page.digest, duplicate: page.duplicate, error: page.error },
      duplicate_of: page.duplicateOf ?? page.nearDuplicateOf,
      // What repeats another page is kept out.
      body: page.duplicate === "payload" ? null : hex(await page.body()),
    };
    while (this.#batch.size >= BATCH_MAX) await this.#write();
    this.#batch.set(page.url, row);
  }

  async flush() {
    while (this.#batch.size > 0 || this.#writing !== null) await this.#write();
  }

  async close() {
    await this.#client.end();
  }

  /** Writes the batch; or waits for the one that is being written. */
  async #write() {
    this.#writing ??= this.#writeBatch();
    await this.#writing;
  }

  async #writeBatch() {
    const rows = JSON.stringify([...this.#batch.values()]);
    this.#batch.clear();
    try {
      await this.#client.query(UPSERT, [rows]);
    } finally {
      this.#writing = null;
    }
  }
}

/** PostgreSQL has no zero character in texts. */
function clean(text) {
  return text?.replaceAll("\0", "\ufffd") ?? null;
}

function hex(bytes) {
  return bytes === null ? null : `\\x${Buffer.from(bytes).toString("hex")}`;
}
