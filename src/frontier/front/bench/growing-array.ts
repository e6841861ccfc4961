/**
 * Typed arrays that grow by doubling. Columns of numbers instead of objects keep what is known of a
 * million hosts in one piece of memory each, which the garbage collector never walks.
 */

export function grownInts(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(sizeFor(column.length, length));
  grown.set(column);
  return grown;
}

export function grownFloats(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(sizeFor(column.length, length));
  grown.set(column);
  return grown;
}

function sizeFor(had: number, wanted: number): number {
  let size = Math.max(16, had);
  while (size < wanted) size *= 2;
  return size;
}
