/**
 * The order of 64-bit keys that are given as two 32-bit columns: a radix sort of their indices, 16
 * bits at a time from the lowest, stable.
 */
const DIGITS = 65_536;

export function bitwiseOrder(uppers: Uint32Array, lowers: Uint32Array): Uint32Array {
  let order = Uint32Array.from({ length: uppers.length }, (_, index) => index);
  for (const { keys, shift } of [
    { keys: lowers, shift: 0 },
    { keys: lowers, shift: 16 },
    { keys: uppers, shift: 0 },
    { keys: uppers, shift: 16 },
  ]) {
    order = orderByDigit(order, keys, shift);
  }
  return order;
}

function orderByDigit(
  order: Uint32Array<ArrayBuffer>,
  keys: Uint32Array,
  shift: number,
): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(DIGITS + 1);
  for (let at = 0; at < keys.length; at++) {
    const digit = ((keys[at] as number) >>> shift) & 0xffff;
    places[digit + 1] = (places[digit + 1] as number) + 1;
  }
  for (let digit = 0; digit < DIGITS; digit++) {
    places[digit + 1] = (places[digit + 1] as number) + (places[digit] as number);
  }
  const ordered = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const index = order[at] as number;
    const digit = ((keys[index] as number) >>> shift) & 0xffff;
    const place = places[digit] as number;
    ordered[place] = index;
    places[digit] = place + 1;
  }
  return ordered;
}
