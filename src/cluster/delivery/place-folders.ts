/** Folders that belong to places: `outbox/n1.17`. Ids are written so that any of them is a name of a folder. */
import type { FileName } from "../../base/seams/index.ts";
import { type Place, placeText } from "../messages/index.ts";

export function placeFolder(root: string, { id, generation }: Place): FileName {
  const safe = Array.from(id, (letter) =>
    /[A-Za-z0-9-]/.test(letter) ? letter : `_${(letter.codePointAt(0) ?? 0).toString(16)}_`,
  );
  return `${root}/${safe.join("")}.${generation}`;
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

const IN_FOLDER = /^([A-Za-z0-9_-]+)\.([0-9]+)\//;

function placeOfFile(root: string, file: FileName): Place | null {
  if (!file.startsWith(`${root}/`)) return null;
  const [, safe, generation] = IN_FOLDER.exec(file.slice(root.length + 1)) ?? [];
  if (safe === undefined) return null;
  const id = safe.replace(/_([0-9a-f]+)_/g, (_all, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return { id, generation: Number(generation) };
}
