/**
 * A ZIP file whose entries are stored as they are, written one after the other into a part file.
 * What a header must say before the bytes are known is written over afterwards. Sizes and offsets
 * of 4 GiB and more take the fields of ZIP64 (PKWARE's APPNOTE 6.3.10, 4.5.3). Where the length is not
 * known beforehand, the header has room for these fields, filled by a field that readers skip.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Output } from "./output.ts";

/** Where the bytes go: what was written can be written over. */
export interface ZipOutput extends Output {
  writeAt(bytes: Uint8Array, position: number): Promise<void>;
}

export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  /** `sha256:…`, in hexadecimal. */
  readonly hash: string;
}

const LIMIT = 0xffffffff;
const COUNT_LIMIT = 0xffff;
const VERSION = 45;
/** Names are in UTF-8. */
const FLAGS = 0x0800;
const ZIP64_FIELD = 0x0001;
/** A field that is only padding, as `zipalign` writes it. */
const PADDING_FIELD = 0xd935;
const FIELD_HEAD_BYTES = 4;

interface Written {
  readonly name: Buffer;
  readonly offset: number;
  readonly bytes: number;
  readonly checksum: number;
  /** Whether its header has room for a length in the fields of ZIP64. */
  readonly hasRoom: boolean;
  /** Whether its length takes them. */
  readonly isLarge: boolean;
}

export class ZipFile {
  readonly #part: ZipOutput;
  readonly #stamp: number;
  readonly #written: Written[] = [];
  readonly #limit: number;

  /** `nowMs` becomes the date of every entry, in UTC. From `limit` on, numbers take 64 bits. */
  constructor(part: ZipOutput, nowMs: number, limit: number = LIMIT) {
    this.#limit = limit;
    this.#part = part;
    this.#stamp = dosStamp(new Date(nowMs));
  }

  /** `bytesMax` is the most that the content can have, where that is known. */
  async add(
    name: string,
    content: AsyncIterable<Uint8Array> | Uint8Array,
    bytesMax: number = content instanceof Uint8Array ? content.length : Number.POSITIVE_INFINITY,
  ): Promise<ZipEntry> {
    const part = this.#part;
    const offset = part.writtenBytes;
    const nameBytes = Buffer.from(name);
    const entry = { name: nameBytes, offset, hasRoom: bytesMax >= this.#limit };
    await part.write(this.#localHeader({ ...entry, bytes: 0, checksum: 0, isLarge: false }));
    const digest = createHash("sha256");
    let checksum = 0;
    let bytes = 0;
    for await (const piece of content instanceof Uint8Array ? [content] : content) {
      digest.update(piece);
      checksum = crc32(piece, checksum);
      bytes += piece.length;
      await part.write(piece);
    }
    assert(bytes <= bytesMax, "an entry is not longer than what was said");
    const written = { ...entry, bytes, checksum, isLarge: bytes >= this.#limit };
    await part.writeAt(this.#localHeader(written), offset);
    this.#written.push(written);
    return { name, bytes, hash: `sha256:${digest.digest("hex")}` };
  }

  /** Writes the directory, after which nothing can be added. */
  async finish(): Promise<void> {
    const part = this.#part;
    const from = part.writtenBytes;
    for (const entry of this.#written) await part.write(this.#directoryEntry(entry));
    const bytes = part.writtenBytes - from;
    const count = this.#written.length;
    if (from >= this.#limit || bytes >= this.#limit || count >= COUNT_LIMIT) {
      await part.write(largeEnd(count, bytes, from));
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(Math.min(count, COUNT_LIMIT), 8);
    end.writeUInt16LE(Math.min(count, COUNT_LIMIT), 10);
    end.writeUInt32LE(bytes >= this.#limit ? LIMIT : bytes, 12);
    end.writeUInt32LE(from >= this.#limit ? LIMIT : from, 16);
    await part.write(end);
  }

  #localHeader(entry: Written): Buffer {
    const extra = this.#extraOf(entry);
    const signature = Buffer.alloc(4);
    signature.writeUInt32LE(0x04034b50, 0);
    return Buffer.concat([signature, this.#description(entry, extra), entry.name, extra]);
  }

  #directoryEntry(entry: Written): Buffer {
    const extra = this.#extraOf(entry);
    const before = Buffer.alloc(6);
    before.writeUInt32LE(0x02014b50, 0);
    before.writeUInt16LE(VERSION, 4);
    const behind = Buffer.alloc(14);
    behind.writeUInt32LE(entry.offset >= this.#limit ? LIMIT : entry.offset, 10);
    return Buffer.concat([before, this.#description(entry, extra), behind, entry.name, extra]);
  }

  /**
   * What does not fit into 32 bits, and padding in the room that is not needed. It is the same in the
   * local header and in the directory, since some readers of WACZ take the length of the one from
   * the other.
   */
  #extraOf({ bytes, offset, hasRoom, isLarge }: Written): Buffer {
    const values = [...(isLarge ? [bytes, bytes] : []), ...(offset >= this.#limit ? [offset] : [])];
    const words = Buffer.alloc(8 * values.length);
    for (const [at, value] of values.entries()) words.writeBigUInt64LE(BigInt(value), 8 * at);
    const needed = values.length === 0 ? Buffer.alloc(0) : field(ZIP64_FIELD, words);
    if (isLarge || !hasRoom) return needed;
    // The fields of a length are two words, and bring a head of their own unless there is one.
    const paddingBytes = 2 * 8 - (values.length === 0 ? 0 : FIELD_HEAD_BYTES);
    return Buffer.concat([needed, field(PADDING_FIELD, Buffer.alloc(paddingBytes))]);
  }

  /** What the local header and the directory both say, from the version that is needed on. */
  #description({ name, checksum, bytes, isLarge }: Written, extra: Buffer): Buffer {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(VERSION, 0);
    fields.writeUInt16LE(FLAGS, 2);
    fields.writeUInt32LE(this.#stamp, 6);
    fields.writeUInt32LE(checksum, 10);
    fields.writeUInt32LE(isLarge ? LIMIT : bytes, 14);
    fields.writeUInt32LE(isLarge ? LIMIT : bytes, 18);
    fields.writeUInt16LE(name.length, 22);
    fields.writeUInt16LE(extra.length, 24);
    return fields;
  }
}

function field(id: number, content: Buffer): Buffer {
  const head = Buffer.alloc(FIELD_HEAD_BYTES);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(content.length, 2);
  return Buffer.concat([head, content]);
}

/** The end of the directory with 64-bit fields, and where that is. */
function largeEnd(count: number, bytes: number, from: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(VERSION, 12);
  end.writeUInt16LE(VERSION, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(from), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(from + bytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** Time below date, as MS-DOS had them: two seconds are the unit, 1980 the first year. */
function dosStamp(date: Date): number {
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const years = Math.max(0, date.getUTCFullYear() - 1980);
  const day = (years << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return day * 0x10000 + time;
}
