/** Where a record is: the file (by its final name), offset and length in it. */
import type { FileName } from "../../base/seams/index.ts";
import { baseName, WARC_FOLDER } from "./warc-name.ts";

export interface WarcPlace {
  readonly file: FileName;
  readonly offset: number;
  /** With compression. */
  readonly lengthBytes: number;
}

const PLACE = /^([A-Za-z0-9._-]{1,200})@(\d{1,15})\+(\d{1,15})$/;

/** `NAME.warc.gz@OFFSET+LENGTH`, one word. */
export function printPlace(place: WarcPlace): string {
  return `${baseName(place.file)}@${place.offset}+${place.lengthBytes}`;
}

export function parsePlace(text: string): WarcPlace | null {
  const [, name, offset, lengthBytes] = PLACE.exec(text) ?? [];
  if (name === undefined || name.startsWith(".")) return null;
  const file = `${WARC_FOLDER}/${name}`;
  return { file, offset: Number(offset), lengthBytes: Number(lengthBytes) };
}
