/** Folders that belong to places: `outbox/n1.17`. An id is always a name of a file (`place.ts`). */
import type { FileName } from "../../base/seams/index.ts";
import { type Place, parsePlace, placeText } from "../messages/index.ts";

export function placeFolder(root: string, place: Place): FileName {
  return `${root}/${placeText(place)}`;
}

/** Whose folders these files are in. */
export function placesIn(root: string, files: readonly FileName[]): readonly Place[] {
  const places = new Map<string, Place>();
  for (const file of files) {
    const place = placeOfFile(root, file);
    if (place !== null) places.set(placeText(place), place);
  }
  return [...places.values()];
}

function placeOfFile(root: string, file: FileName): Place | null {
  if (!file.startsWith(`${root}/`)) return null;
  const [, folder] = /^([^/]+)\//.exec(file.slice(root.length + 1)) ?? [];
  return folder === undefined ? null : parsePlace(folder);
}
