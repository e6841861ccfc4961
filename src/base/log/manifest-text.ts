/**
 * The manifest as a file: a line of JSON with a checksum at its end, and the same line again, so
 * that a flipped bit loses nothing. Between them is an empty line, since a single newline could
 * itself be the damaged byte.
 */
import { crc32 } from "node:zlib";
import type { FramingKind, Salt } from "./framing.ts";
import type { Manifest, Segment } from "./manifest.ts";

const FORMAT = 1;
const LINE = /^(?<json>.*)\t(?<sum>[0-9a-f]{8})$/;

export function printManifest(manifest: Manifest): Uint8Array {
  const json = JSON.stringify({
    format: FORMAT,
    framing: manifest.framing,
    salt: manifest.salt,
    nextId: manifest.nextId,
    segments: manifest.segments.map(({ id, base, lengthBytes }) => [id, base, lengthBytes]),
  });
  const line = `${json}\t${sumOf(json)}\n`;
  return new TextEncoder().encode(`${line}\n${line}`);
}

/** The manifest, or in one sentence why the bytes are not one. */
export function parseManifest(bytes: Uint8Array): Manifest | string {
  const lines = new TextDecoder().decode(bytes).split("\n");
  for (const line of lines) {
    const { json, sum } = LINE.exec(line)?.groups ?? {};
    if (json !== undefined && sum === sumOf(json)) return fromJson(JSON.parse(json));
  }
  return "no line of it has the right checksum";
}

function sumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}

/** The checksum was right, so we wrote it: only its format can be unknown. */
function fromJson(json: {
  readonly format: number;
  readonly framing: FramingKind;
  readonly salt: Salt;
  readonly nextId: number;
  readonly segments: readonly [number, number, number | null][];
}): Manifest | string {
  if (json.format !== FORMAT) {
    return `its format is ${json.format}, of a newer version of Trobar; this one knows ${FORMAT}`;
  }
  const segments = json.segments.map(
    ([id, base, lengthBytes]): Segment => ({ id, base, lengthBytes }),
  );
  const { framing, salt, nextId } = json;
  return { framing, salt, nextId, segments };
}
