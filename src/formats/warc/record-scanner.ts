/**
 * Reads a WARC or ARC file, compressed or not, as its bytes arrive: `push` bytes, take steps with
 * `next` until it returns null, push more, `end`. It holds one record in memory, up to a limit.
 *
 * Damage is a step like any other: it names the offset, and reading goes on at the next place that
 * begins like a record. (In a damaged region the bytes of a page could imitate a record; between
 * undamaged records they cannot, since there the lengths decide.)
 */
import { isGzip, isZstd, type Member, takeGzipMember, takeZstdFrame } from "./member.ts";
import { type PlainStep, startsLikeWarc, takePlainRecord } from "./plain-record.ts";
import type { ReadRecord } from "./warc-record.ts";

export type ScanStep =
  | { readonly kind: "record"; readonly record: ReadRecord }
  /** `lengthBytes` bytes from `offset` could not be read and were skipped. */
  | {
      readonly kind: "damage";
      readonly offset: number;
      readonly lengthBytes: number;
      readonly reason: string;
    };

/** A larger record, compressed or not, is skipped as damage. */
const RECORD_BYTES_MAX = 256 * 1024 * 1024;

/** Enough to tell gzip, zstd and plain records apart. */
const START_BYTES = 16;

interface OpenDamage {
  readonly offset: number;
  readonly reason: string;
}

export class RecordScanner {
  #window: Uint8Array = new Uint8Array(0);
  #windowOffset = 0;
  /** Pushed but not yet in the window: joining at every push would copy a large record many times. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Nothing can be decided before the window has this many bytes. */
  #wantedBytes = START_BYTES;
  #ended = false;
  #damage: OpenDamage | null = null;
  /** What is left of the current member to be read, and where that member is. */
  #inside: { content: Uint8Array; offset: number; lengthBytes: number; taken: number } | null =
    null;

  /** The bytes must not change afterwards: records may be views of them. */
  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  /** No more bytes will come. */
  end(): void {
    this.#ended = true;
  }

  /** The next step; null when more bytes are needed or, after `end`, when everything is read. */
  next(): ScanStep | null {
    for (;;) {
      if (this.#inside !== null) {
        const step = this.#takeInside();
        if (step !== null) return step;
        continue;
      }
      if (!this.#fillWindow()) return null;
      if (this.#window.length === 0) return this.#closeDamage();
      const step = this.#takeOutside();
      if (step === "again") continue;
      return step;
    }
  }

  /** Whether the window holds as much as is wanted, or all there will be. */
  #fillWindow(): boolean {
    if (this.#waitingBytes > 0) {
      const enough = this.#window.length + this.#waitingBytes >= this.#wantedBytes;
      if (!enough && !this.#ended) return false;
      this.#window =
        this.#window.length === 0 && this.#waiting.length === 1
          ? (this.#waiting[0] ?? this.#window)
          : Buffer.concat([this.#window, ...this.#waiting]);
      this.#waiting = [];
      this.#waitingBytes = 0;
    }
    return this.#window.length >= this.#wantedBytes || this.#ended;
  }

  /** A step at the front of the window; "again" when the state changed without one. */
  #takeOutside(): ScanStep | null | "again" {
    if (this.#damage !== null) return this.#seekRecord();
    if (isGzip(this.#window)) return this.#takeMember(takeGzipMember);
    if (isZstd(this.#window)) return this.#takeMember(takeZstdFrame);
    const step = takePlainRecord(this.#window, this.#ended);
    if (step.kind !== "record") return this.#notYet(step);
    const { record, lengthBytes } = step;
    const offset = this.#windowOffset;
    this.#advance(lengthBytes);
    const place = { offset, lengthBytes, sharesMember: false };
    return { kind: "record", record: { ...record, ...place } };
  }

  #takeMember(
    take: (window: Uint8Array, contentBytesMax: number) => Member,
  ): ScanStep | null | "again" {
    const member = take(this.#window, RECORD_BYTES_MAX);
    if (member.kind === "damaged") return this.#openDamage(member.reason);
    if (member.kind === "short") {
      return this.#notYet({ kind: "short", bytes: this.#window.length * 2 });
    }
    const { content, lengthBytes } = member;
    this.#inside = { content, offset: this.#windowOffset, lengthBytes, taken: 0 };
    this.#advance(lengthBytes);
    return "again";
  }

  /** The window does not hold a whole record: wait for more, or give up on it. */
  #notYet(step: Exclude<PlainStep, { kind: "record" }>): null | "again" {
    if (step.kind === "damaged") return this.#openDamage(step.reason);
    if (this.#ended) return this.#openDamage("the file ends inside it");
    if (step.bytes > RECORD_BYTES_MAX) {
      return this.#openDamage(`it is larger than ${RECORD_BYTES_MAX} bytes`);
    }
    this.#wantedBytes = step.bytes;
    return null;
  }

  #takeInside(): ScanStep | null {
    const inside = this.#inside;
    if (inside === null || inside.content.length === 0) {
      this.#inside = null;
      return null;
    }
    const { content, offset, lengthBytes, taken } = inside;
    const step = takePlainRecord(content, true);
    if (step.kind !== "record") {
      this.#inside = null;
      const reason = step.kind === "damaged" ? step.reason : "its block does not end";
      return { kind: "damage", offset, lengthBytes, reason: `in the member: ${reason}` };
    }
    const rest = content.subarray(step.lengthBytes);
    this.#inside = rest.length > 0 ? { ...inside, content: rest, taken: taken + 1 } : null;
    const sharesMember = taken > 0 || rest.length > 0;
    const warnings = sharesMember
      ? [
          ...step.record.warnings,
          "its gzip member also holds other records, so it cannot be read by offset",
        ]
      : step.record.warnings;
    const place = { offset, lengthBytes, sharesMember };
    return { kind: "record", record: { ...step.record, warnings, ...place } };
  }

  #openDamage(reason: string): "again" {
    this.#damage = { offset: this.#windowOffset, reason };
    return "again";
  }

  /**
   * Inside damage: drops bytes up to the next place that begins like a record. A place is judged
   * only with enough bytes after it, so the result does not depend on how the bytes arrived.
   */
  #seekRecord(): ScanStep | null | "again" {
    const from = this.#damage?.offset === this.#windowOffset ? 1 : 0;
    const found = findRecordStart(this.#window, from, this.#ended);
    if (found.kind === "start") {
      this.#advance(found.at);
      return this.#closeDamage();
    }
    this.#advance(found.at);
    this.#wantedBytes = found.wantedBytes;
    return this.#ended ? this.#closeDamage() : null;
  }

  #closeDamage(): ScanStep | null {
    const damage = this.#damage;
    this.#damage = null;
    if (damage === null) return null;
    const lengthBytes = this.#windowOffset - damage.offset;
    return { kind: "damage", offset: damage.offset, lengthBytes, reason: damage.reason };
  }

  #advance(bytes: number): void {
    this.#window = this.#window.subarray(bytes);
    this.#windowOffset += bytes;
    this.#wantedBytes = START_BYTES;
  }
}

const PROBE_BYTES = 4096;
const PROBE_CONTENT_BYTES = 1024 * 1024;
const PLAIN_MARK = "\nWARC/1.";
const GZIP_MARK = "\x1f\x8b\x08";
const ZSTD_MARK = "\x28\xb5\x2f\xfd";

type Found =
  | { readonly kind: "start"; readonly at: number }
  /** Nothing begins before `at`; look again from there with at least `wantedBytes`. */
  | { readonly kind: "open"; readonly at: number; readonly wantedBytes: number };

/** The first place from `from` on where a record plausibly begins. */
function findRecordStart(window: Uint8Array, from: number, isLast: boolean): Found {
  const bytes = Buffer.from(window.buffer, window.byteOffset, window.byteLength);
  const next = (mark: string, at: number) => {
    const found = bytes.indexOf(mark, at, "latin1");
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  };
  const plain = next(PLAIN_MARK, Math.max(0, from - 1)) + 1;
  let gzip = next(GZIP_MARK, from);
  let zstd = next(ZSTD_MARK, from);
  for (;;) {
    const at = Math.min(plain, gzip, zstd);
    if (at === Number.POSITIVE_INFINITY) break;
    if (at === plain) return { kind: "start", at };
    if (!isLast && bytes.length - at < PROBE_BYTES) {
      return { kind: "open", at, wantedBytes: PROBE_BYTES };
    }
    if (beginsRecord(bytes.subarray(at, at + PROBE_BYTES))) return { kind: "start", at };
    if (at === gzip) gzip = next(GZIP_MARK, at + 1);
    else zstd = next(ZSTD_MARK, at + 1);
  }
  // A mark may be cut by the end of the window.
  const at = isLast ? bytes.length : Math.max(from, bytes.length - PLAIN_MARK.length);
  return { kind: "open", at, wantedBytes: bytes.length - at + 1 };
}

/** Looks at the first few kilobytes only, so that many false marks cost little. */
function beginsRecord(probe: Uint8Array): boolean {
  const take = isGzip(probe) ? takeGzipMember : takeZstdFrame;
  const member = take(probe, PROBE_CONTENT_BYTES);
  return member.kind === "whole"
    ? startsLikeWarc(Buffer.from(member.content.subarray(0, 16)))
    : member.kind === "short" || member.tooLarge === true;
}
