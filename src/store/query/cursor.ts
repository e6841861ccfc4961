/**
 * Where a stream of pages goes on: a position in the crawl log, with the beginning of the crawl's id,
 * so that the cursor of one crawl is not used for another.
 */
const CURSOR = /^([0-9a-z]{1,8})-(\d{1,15})$/;
const ID_LENGTH = 8;

export function printCursor(id: string, position: number): string {
  return `${id.slice(0, ID_LENGTH)}-${position}`;
}

/** The position; null when the text is not a cursor of this crawl. */
export function readCursor(id: string, text: string): number | null {
  const [, crawl, position] = CURSOR.exec(text) ?? [];
  return crawl === id.slice(0, ID_LENGTH) ? Number(position) : null;
}
