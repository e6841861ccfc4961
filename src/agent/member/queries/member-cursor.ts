/**
 * Where a stream of the pages of all agents goes on: the position of each place, with the beginning of the
 * crawl's id, as a text that fits into a command, a URL and a row of CSV. Queries have the same as JSON.
 */
const ID_LENGTH = 8;
/** `a.17:4711`: neither ids nor positions have a colon or a tilde. */
const PLACE_AT = /^([A-Za-z0-9._-]+):([A-Za-z0-9.-]*)$/;

/** By places, as texts. */
export type Positions = ReadonlyMap<string, string>;

export function printMemberCursor(crawl: string, positions: Positions): string {
  const places = [...positions].map(([place, at]) => `~${place}:${at}`);
  return `${crawl.slice(0, ID_LENGTH)}${places.join("")}`;
}

/** Null for a text that is not a cursor of this crawl. */
export function readMemberCursor(crawl: string, text: string): Positions | null {
  const [id, ...places] = text.split("~");
  if (id !== crawl.slice(0, ID_LENGTH)) return null;
  const positions = new Map<string, string>();
  for (const place of places) {
    const [, name, at] = PLACE_AT.exec(place) ?? [];
    if (name === undefined || at === undefined) return null;
    positions.set(name, at);
  }
  return positions;
}

/** As queries have it. */
export function queryCursorOf(positions: Positions): string {
  return JSON.stringify(Object.fromEntries(positions));
}

export function positionsIn(cursor: string): Map<string, string> {
  return new Map(Object.entries(cursor === "" ? {} : (JSON.parse(cursor) as object)));
}
