/** Opens the keeper of a store that is not WARC: files of JSON lines, standard output, a user's module. */
import { constants, gzip, zstdCompress } from "node:zlib";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { JSON_ROWS, RowWriter } from "../../store/export/index.ts";
import { openRowFiles, type RowFiles } from "../../store/pages/index.ts";
import { answered } from "../crawl/answers.ts";
import { LineStore } from "../visit/line-store.ts";
import type { PageKeeper } from "../visit/page-keeper.ts";
import { storeMark } from "../visit/page-rows.ts";
import { loadStore, openUserStore, UserStoreKeeper } from "../visit/user-store.ts";
import { type CrawlWorld, closed } from "./crawl-world.ts";
import { filePrefix } from "./open-store.ts";

/**
 * The keeper of the crawl's own store. Who needs to know what it looks at may come before the provider
 * that closes it, and if that never comes, since another cannot be opened, the crawl closes it.
 */
export class CrawlKeeper {
  #opening: Promise<PageKeeper | null> | null = null;
  #closing: Promise<void> | null = null;

  /** Null if pages are stored in WARC files alone. */
  open(configuration: Configuration, world: CrawlWorld): Promise<PageKeeper | null> {
    this.#opening ??=
      configuration.store.kind === "warc" || world.hasOwnStore
        ? Promise.resolve(null)
        : openKeeper(configuration, world);
    return this.#opening;
  }

  close(world: Pick<CrawlWorld, "closeFailed">): Promise<void> {
    this.#closing ??= this.#close(world);
    return this.#closing;
  }

  async #close(world: Pick<CrawlWorld, "closeFailed">): Promise<void> {
    const keeper = await this.#opening?.catch(() => null);
    if (keeper != null) await closed(world, (done) => keeper.close(done));
  }
}

/** The kind is `jsonl`, or a module. */
export async function openKeeper(
  configuration: Configuration,
  world: CrawlWorld,
): Promise<PageKeeper> {
  const { kind } = configuration.store;
  return kind === "jsonl"
    ? await openLineStore(configuration, world)
    : await openModule(configuration, world, kind);
}

async function openModule(
  configuration: Configuration,
  { importModule, folder, listener }: CrawlWorld,
  module: string,
): Promise<PageKeeper> {
  const loaded = await loadStore(module, importModule);
  const options = { folder, name: filePrefix(configuration) };
  const store = await openUserStore(module, loaded, options);
  const failed = (error: CrawlError): void => listener.failed(error);
  return new UserStoreKeeper({ name: module, store, failed });
}

async function openLineStore(
  configuration: Configuration,
  { storage, clock, agent, listener, openStdout, wasKilled, saved }: CrawlWorld,
): Promise<PageKeeper> {
  const {
    output,
    compression,
    level,
    warcSize: bytesMax,
    text,
    outlinks,
    body,
  } = configuration.store;
  const isFiles = output === "files";
  const ending = isFiles ? ENDINGS[compression] : "";
  const name = filePrefix(configuration);
  const mark = wasKilled ? saved?.rows?.[storeMark(name)] : undefined;
  const files = isFiles
    ? await answered<RowFiles>((done) =>
        openRowFiles(
          { storage, clock, name, agent, ending, bytesMax, ...(mark && { mark }) },
          done,
        ),
      )
    : null;
  const writer = new RowWriter({
    clock,
    sink: files ?? (await openStdout()),
    format: JSON_ROWS,
    compress: isFiles ? compressor(compression, level) : null,
    failed: (error) => listener.failed(error),
  });
  return new LineStore({ name, writer, files, fields: { text, links: outlinks }, body });
}

const ENDINGS = { gzip: ".jsonl.gz", zstd: ".jsonl.zst", none: ".jsonl" } as const;

function compressor(
  compression: Configuration["store"]["compression"],
  level: number | null,
): ConstructorParameters<typeof RowWriter>[0]["compress"] {
  switch (compression) {
    case "none":
      return null;
    case "gzip":
      return (batch, done) => gzip(batch, level === null ? {} : { level }, done);
    case "zstd": {
      const params = {
        [constants.ZSTD_c_checksumFlag]: 1,
        ...(level === null ? {} : { [constants.ZSTD_c_compressionLevel]: level }),
      };
      return (batch, done) => zstdCompress(batch, { params }, done);
    }
  }
}
