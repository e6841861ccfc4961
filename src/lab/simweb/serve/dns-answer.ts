/**
 * Writes DNS answers: a chain of aliases and the addresses at its end, or a refusal. Owners of
 * records are pointers to names that stand in the message already.
 */
import assert from "node:assert/strict";
import { parseAddress } from "../../../formats/address/index.ts";
import { DNS_TYPE, type DnsQuery } from "./dns-query.ts";

export const DNS_CODE = {
  good: 0,
  malformed: 1,
  serverFailure: 2,
  noSuchName: 3,
  notImplemented: 4,
} as const;

export interface DnsRecords {
  readonly ttlSeconds: number;
  /** Each is the target of the alias before it; the first is that of the question. */
  readonly aliases: readonly string[];
  readonly addresses: readonly string[];
}

/** Where the question stands in every answer. */
const QUESTION_AT = 12;
const NEGATIVE_TTL_SECONDS = 30;
const NO_RECORDS: DnsRecords = { ttlSeconds: 0, aliases: [], addresses: [] };

/**
 * The answer to a query. Without an address of the type asked for it says so by its authority
 * record, as a server does for a name that exists without such records or does not exist at all.
 */
export function writeDnsAnswer(
  query: DnsQuery,
  code: number,
  records: DnsRecords = NO_RECORDS,
): Uint8Array {
  const message = new Message();
  const isNegative = !holdsWhatIsAsked(query, records) && code !== DNS_CODE.serverFailure;
  const answers = records.aliases.length + records.addresses.length;
  message.header(query, { code, answers, isNegative, isTruncated: false });
  message.bytes(query.question);
  let owner = QUESTION_AT;
  for (const alias of records.aliases) owner = message.alias(owner, alias, records.ttlSeconds);
  for (const address of records.addresses) message.address(owner, address, records.ttlSeconds);
  if (isNegative) message.authority();
  if (query.hasExtension) message.extension();
  return message.finish();
}

function holdsWhatIsAsked({ type }: DnsQuery, { aliases, addresses }: DnsRecords): boolean {
  return addresses.length > 0 || (type === DNS_TYPE.CNAME && aliases.length > 0);
}

/** Says that the answer is too long for UDP, and nothing else. */
export function writeTruncatedAnswer(query: DnsQuery): Uint8Array {
  const message = new Message();
  message.header(query, { code: 0, answers: 0, isNegative: false, isTruncated: true });
  message.bytes(query.question);
  if (query.hasExtension) message.extension();
  return message.finish();
}

/** For messages whose question could not be read. */
export function writeDnsRefusal(id: number, code: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, id);
  view.setUint16(2, 0x8000 | code);
  return bytes;
}

interface HeaderFacts {
  readonly code: number;
  readonly answers: number;
  readonly isNegative: boolean;
  readonly isTruncated: boolean;
}

/** A message being written; it grows as needed and never beyond what 16 bits can count. */
class Message {
  #bytes = new Uint8Array(512);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  header(query: DnsQuery, { code, answers, isNegative, isTruncated }: HeaderFacts): void {
    const flags =
      0x8480 | (query.isRecursive ? 0x0100 : 0) | (isTruncated ? 0x0200 : 0) | (code & 15);
    this.#u16(query.id);
    this.#u16(flags);
    this.#u16(1);
    this.#u16(answers);
    this.#u16(isNegative ? 1 : 0);
    this.#u16(query.hasExtension ? 1 : 0);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Where the alias's name stands, for the next owner. */
  alias(owner: number, alias: string, ttlSeconds: number): number {
    this.#recordHead(owner, DNS_TYPE.CNAME, ttlSeconds);
    const lengthAt = this.#length;
    this.#u16(0);
    const nameAt = this.#length;
    this.#name(alias);
    this.#view.setUint16(lengthAt, this.#length - nameAt);
    return nameAt;
  }

  address(owner: number, address: string, ttlSeconds: number): void {
    const bytes = parseAddress(address);
    assert(bytes !== null, "a host's addresses are addresses");
    this.#recordHead(owner, bytes.length === 4 ? DNS_TYPE.A : DNS_TYPE.AAAA, ttlSeconds);
    this.#u16(bytes.length);
    this.bytes(bytes);
  }

  /** How long a client may remember that there is nothing. */
  authority(): void {
    this.#u8(0);
    this.#recordRest(DNS_TYPE.SOA, NEGATIVE_TTL_SECONDS);
    const lengthAt = this.#length;
    this.#u16(0);
    const start = this.#length;
    this.#name("ns.simweb.invalid");
    this.#name("hostmaster.simweb.invalid");
    for (const number of [1, 3600, 600, 86_400, NEGATIVE_TTL_SECONDS]) this.#u32(number);
    this.#view.setUint16(lengthAt, this.#length - start);
  }

  extension(): void {
    this.#u8(0);
    this.#u16(DNS_TYPE.OPT);
    this.#u16(4096);
    this.#u32(0);
    this.#u16(0);
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #recordHead(owner: number, type: number, ttlSeconds: number): void {
    this.#u16(0xc000 | owner);
    this.#recordRest(type, ttlSeconds);
  }

  #recordRest(type: number, ttlSeconds: number): void {
    this.#u16(type);
    this.#u16(1);
    this.#u32(ttlSeconds);
  }

  #name(name: string): void {
    for (const label of name.split(".")) {
      assert(label.length > 0 && label.length < 64, "a host's aliases are names");
      this.#u8(label.length);
      this.bytes(Buffer.from(label, "latin1"));
    }
    this.#u8(0);
  }

  #u8(value: number): void {
    this.#reserve(1);
    this.#view.setUint8(this.#length, value);
    this.#length += 1;
  }

  #u16(value: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.#length, value);
    this.#length += 2;
  }

  #u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value);
    this.#length += 4;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + bytes));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
