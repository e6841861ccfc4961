/**
 * Claims: places that say to have the page of a URL whose host is here. They come with hosts that change
 * hands; a crawl in which no agent comes or goes has none.
 *
 * Claims are part of the agent's checkpoint, like everything that custody does: `changes` gives what is
 * different since the last one, as rows for its transaction.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Batch, Row } from "../../base/seams/index.ts";
import { ByteReader, ByteWriter } from "../../topology/items/index.ts";
import { EntryType, type UrlEntry } from "../delivery/index.ts";
import { type Place, placeText, samePlace } from "../messages/index.ts";

/** The table of claims in the agent's database: a key, and the entry in bytes. */
const CLAIMS_TABLE = "claims";
export class Claims {
  readonly #entries = new Map<string, UrlEntry>();
  /** Keys whose rows are not as they are in the database. */
  readonly #changed = new Set<string>();

  get size(): number {
    return this.#entries.size;
  }

  restore(rows: Iterable<Row>): void {
    for (const { key, entry } of rows) {
      const read = EntryType.codec?.read(new ByteReader(entry as Uint8Array));
      if (read?.kind === "url") this.#entries.set(String(key), copied(read));
    }
  }

  /** Who says to have the page. */
  holdersOf(page: Fingerprint): readonly Place[] {
    return this.#entries.get(keyOf(page))?.holders ?? [];
  }

  /** Adds claims of an entry; whether there is one that was not known. */
  add(entry: UrlEntry, holders: readonly Place[]): boolean {
    const key = keyOf(entry);
    const known = this.#entries.get(key)?.holders ?? [];
    const fresh = holders.filter((place) => !known.some((one) => samePlace(one, place)));
    if (fresh.length === 0) return false;
    this.#set(key, { ...copied(entry), holders: [...known, ...fresh] });
    return true;
  }

  /** Strikes all claims of a place; gives the URLs of which none is left. */
  *strike(place: Place): Iterable<UrlEntry> {
    for (const [key, entry] of [...this.#entries]) {
      const holders = entry.holders.filter((one) => !samePlace(one, place));
      if (holders.length === entry.holders.length) continue;
      if (holders.length > 0) this.#set(key, { ...entry, holders });
      else {
        this.#remove(key);
        yield { ...entry, holders };
      }
    }
  }

  /** The claims of a host that goes away, taken out. */
  *takeHost(host: string): Iterable<UrlEntry> {
    for (const [key, entry] of [...this.#entries]) {
      if (entry.host !== host) continue;
      this.#remove(key);
      yield entry;
    }
  }

  all(): Iterable<UrlEntry> {
    return this.#entries.values();
  }

  places(): ReadonlyMap<string, Place> {
    const places = new Map<string, Place>();
    for (const { holders } of this.#entries.values()) {
      for (const place of holders) places.set(placeText(place), place);
    }
    return places;
  }

  /** What has changed since the last call, for the transaction of a checkpoint. */
  changes(): Required<Pick<Batch, "put" | "remove">> {
    const put: { table: string; row: Row }[] = [];
    const remove: { table: string; key: string }[] = [];
    for (const key of this.#changed) {
      const entry = this.#entries.get(key);
      if (entry === undefined) remove.push({ table: CLAIMS_TABLE, key });
      else put.push({ table: CLAIMS_TABLE, row: { key, entry: bytesOf(entry) } });
    }
    this.#changed.clear();
    return { put, remove };
  }

  #set(key: string, entry: UrlEntry): void {
    this.#entries.set(key, entry);
    this.#changed.add(key);
  }

  #remove(key: string): void {
    this.#entries.delete(key);
    this.#changed.add(key);
  }
}

function keyOf({ high, low }: Fingerprint): string {
  return `${high.toString(16).padStart(8, "0")}${low.toString(16).padStart(8, "0")}`;
}

/** Records that arrived are views of what they came in. */
function copied(entry: UrlEntry): UrlEntry {
  return { ...entry, record: entry.record.slice() };
}

function bytesOf(entry: UrlEntry): Uint8Array {
  const writer = new ByteWriter();
  EntryType.codec?.write(entry, writer);
  return writer.copy();
}
