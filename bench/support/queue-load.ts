/** The load of the benchmarks of host queues: which URLs come for which hosts, and in which order hosts are pulled. */
import { SeededRandom } from "../../src/base/random/index.ts";

/** A path of a URL, about sixty bytes, into the same memory again and again. */
const record = Buffer.from("/articles/2026/november/some-page-with-a-name-0000000000?page=1");
const SERIAL_END = 56;
const SERIAL_DIGITS = 10;

export const RECORD_BYTES: number = record.length;

export function nextRecord(serial: number): Buffer {
  for (let at = 1, rest = serial; at <= SERIAL_DIGITS; at += 1, rest = Math.floor(rest / 10)) {
    record[SERIAL_END - at] = 48 + (rest % 10);
  }
  return record;
}

/** The serial number in a record that begins at `from`. */
export function serialIn(bytes: Uint8Array, from: number): number {
  let serial = 0;
  for (let at = from + SERIAL_END - SERIAL_DIGITS; at < from + SERIAL_END; at += 1) {
    serial = serial * 10 + ((bytes[at] as number) - 48);
  }
  return serial;
}

/** Most URLs are of a few hosts: the logarithm of the host's number is even. */
export function someHost(random: SeededRandom, hosts: number): number {
  if (random.below(4) > 0) return random.below(hosts);
  return Math.floor(Math.exp(random.unit() * Math.log(hosts))) % hosts;
}

export function shuffled(count: number): Uint32Array {
  const random = new SeededRandom("order");
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let index = count - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other] as number, order[index] as number];
  }
  return order;
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
