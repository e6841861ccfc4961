/**
 * What a lane posts, on its way to the desk. The items that every page has are written into one piece of
 * memory, which is handed over; as objects each would be copied value by value, and name by name, in
 * both threads. The others, which are rare, go as they are. The order of all is kept.
 *
 * An item begins with a byte that says what it is. Numbers follow in the order of little endian, then
 * texts and bytes, each after its length. A row is JSON, since it has thirty fields.
 */
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { EntryReason } from "../member/threads/lane-asks.ts";
import type { SoughtPage } from "../visit/duplicates.ts";
import type { EntryItem, LaneItem, LanePost } from "./lane-messages.ts";

const AS_IT_IS = 0;
const LINE = 1;
const EXPECT = 2;
const ROW = 3;
const ENDED = 4;
const LINKS = 5;
const SEEK = 6;
const CLAIM = 7;
const ENTRY = 8;

/** Why an entry is told, by its number. */
const REASONS: readonly EntryReason[] = ["found", "logged", "foundAgain", "nearer", "given"];

/** In place of a number that is missing. */
const NONE = -1;
const FIRST_BYTES = 64 * 1024;
/** What a larger post needed is given back afterwards. */
const KEPT_BYTES_MAX = 1024 * 1024;
/** A character takes at most so many bytes for each of its units. */
const UNIT_BYTES_MAX = 3;
/** More than all numbers of one item take. */
const NUMBERS_BYTES_MAX = 64;

type Item<Kind extends LaneItem["kind"]> = Extract<LaneItem, { readonly kind: Kind }>;
type Halves = { readonly high: number; readonly low: number };

export class LanePostWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #at = 0;
  #rare: LaneItem[] = [];
  #count = 0;

  /** Items that were written. */
  get count(): number {
    return this.#count;
  }

  /** Memory that the item looks at may be used for other things afterwards, but for rare items. */
  add(item: LaneItem): void {
    this.#count += 1;
    this.#makeRoom(NUMBERS_BYTES_MAX);
    switch (item.kind) {
      case "line":
        this.#byte(LINE);
        this.#block(item.bytes);
        break;
      case "expect":
        this.#byte(EXPECT);
        this.#number(item.line);
        break;
      case "row":
        this.#row(item);
        break;
      case "ended":
        this.#byte(ENDED);
        this.#number(item.line ?? NONE);
        this.#number(item.number ?? NONE);
        break;
      case "links":
        this.#links(item);
        break;
      case "seek":
        this.#seek(item);
        break;
      case "claim":
        this.#claim(item);
        break;
      case "entry":
        this.#entry(item);
        break;
      default:
        this.#asItIs(item);
    }
  }

  /** What was written; the writer begins anew. */
  take(): LanePost {
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.#at)).buffer;
    const post: LanePost = { bytes, rare: this.#rare, count: this.#count };
    if (this.#bytes.length > KEPT_BYTES_MAX) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    this.#at = 0;
    this.#rare = [];
    this.#count = 0;
    return post;
  }

  #asItIs(item: LaneItem): void {
    this.#byte(AS_IT_IS);
    this.#rare.push(item);
  }

  /** What is kept of a text is large, and has tables in it. */
  #row(item: Item<"row">): void {
    if (item.page.text !== null) {
      this.#asItIs(item);
      return;
    }
    this.#byte(ROW);
    this.#number(item.line);
    this.#text(JSON.stringify(item.page));
  }

  #links({ page, bytes, highs }: Item<"links">): void {
    this.#byte(LINKS);
    this.#page(page);
    this.#makeRoom(4 + 4 * highs.length);
    this.#word(highs.length);
    for (const high of highs) this.#word(high);
    this.#block(bytes);
  }

  #seek({ id, compared, page }: Item<"seek">): void {
    this.#byte(SEEK);
    this.#word(id);
    this.#block(compared.payloadSha1);
    this.#makeRoom(NUMBERS_BYTES_MAX);
    this.#halves(compared.stripped);
    this.#halves(compared.near);
    this.#page(page);
  }

  #claim({ id, claim: { sha1, original, isOriginal } }: Item<"claim">): void {
    this.#byte(CLAIM);
    this.#word(id);
    this.#block(sha1);
    this.#makeRoom(NUMBERS_BYTES_MAX);
    this.#byte(isOriginal ? 1 : 0);
    this.#number(original.dateMs);
    this.#text(original.url);
  }

  /** Lanes name no holders. */
  #entry({ about, id, entry }: EntryItem): void {
    const { host, high, low, depth, record } = entry;
    this.#byte(ENTRY);
    this.#byte(REASONS.indexOf(about));
    this.#word(id);
    this.#word(high);
    this.#word(low);
    this.#word(depth);
    this.#text(host);
    this.#block(record);
  }

  #page({ url, high, low }: SoughtPage): void {
    this.#word(high);
    this.#word(low);
    this.#text(url);
  }

  #halves(digest: Halves | null): void {
    this.#byte(digest === null ? 0 : 1);
    if (digest === null) return;
    this.#word(digest.high);
    this.#word(digest.low);
  }

  #text(text: string): void {
    this.#makeRoom(4 + text.length * UNIT_BYTES_MAX);
    const length = this.#bytes.write(text, this.#at + 4);
    this.#word(length);
    this.#at += length;
  }

  #block(block: Uint8Array): void {
    this.#makeRoom(4 + block.length);
    this.#word(block.length);
    this.#bytes.set(block, this.#at);
    this.#at += block.length;
  }

  #byte(value: number): void {
    this.#bytes[this.#at] = value;
    this.#at += 1;
  }

  /** One that may need more than 32 bits. */
  #number(value: number): void {
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  #word(value: number): void {
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  #makeRoom(moreBytes: number): void {
    const needed = this.#at + moreBytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Gives the items of a post, in their order. Bytes in them are views of the post, but for lines. */
export function readLanePost({ bytes, rare }: LanePost, take: (item: LaneItem) => void): void {
  const reader = new ItemReader(Buffer.from(bytes));
  let other = 0;
  while (!reader.isAtEnd) {
    const item = reader.next();
    if (item !== null) {
      take(item);
      continue;
    }
    take(rare[other] as LaneItem);
    other += 1;
  }
}

class ItemReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Null for one that came as it is. */
  next(): LaneItem | null {
    switch (this.#byte()) {
      case LINE:
        // A line is kept until it is in its file, and must not keep the whole post.
        return { kind: "line", bytes: Buffer.from(this.#block()) };
      case EXPECT:
        return { kind: "expect", line: this.#number() };
      case ROW:
        return { kind: "row", line: this.#number(), page: JSON.parse(this.#text()) };
      case ENDED:
        return { kind: "ended", line: this.#numberOrNull(), number: this.#numberOrNull() };
      case LINKS:
        return {
          ...{ kind: "links", page: this.#page(), highs: this.#words(), bytes: this.#block() },
        };
      case SEEK: {
        const id = this.#word();
        const payloadSha1 = this.#block();
        const compared = { payloadSha1, stripped: this.#halves(), near: this.#halves() };
        return { kind: "seek", id, compared, page: this.#page() };
      }
      case CLAIM:
        return this.#claim();
      case ENTRY:
        return this.#entry();
      default:
        return null;
    }
  }

  #entry(): EntryItem {
    const about = REASONS[this.#byte()] as EntryReason;
    const id = this.#word();
    const [high, low, depth] = [this.#word(), this.#word(), this.#word()];
    const host = this.#text();
    // It is kept longer than the post.
    const record = Uint8Array.from(this.#block());
    return {
      ...{ kind: "entry", about, id },
      entry: { kind: "url", host, high, low, depth, holders: [], record },
    };
  }

  #claim(): Item<"claim"> {
    const id = this.#word();
    const sha1 = this.#block();
    const isOriginal = this.#byte() === 1;
    const dateMs = this.#number();
    return {
      kind: "claim",
      id,
      claim: { sha1, original: { url: this.#text(), dateMs }, isOriginal },
    };
  }

  #page(): SoughtPage {
    const high = this.#word();
    const low = this.#word();
    return { url: this.#text() as FetchableUrl, high, low };
  }

  #halves(): Halves | null {
    return this.#byte() === 0 ? null : { high: this.#word(), low: this.#word() };
  }

  #words(): number[] {
    const words: number[] = [];
    const count = this.#word();
    for (let index = 0; index < count; index += 1) words.push(this.#word());
    return words;
  }

  #text(): string {
    const length = this.#word();
    this.#at += length;
    return this.#bytes.toString("utf8", this.#at - length, this.#at);
  }

  #block(): Uint8Array {
    const length = this.#word();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #numberOrNull(): number | null {
    const number = this.#number();
    return number === NONE ? null : number;
  }

  #number(): number {
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  #word(): number {
    this.#at += 4;
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  #byte(): number {
    this.#at += 1;
    return this.#bytes[this.#at - 1] as number;
  }
}
