/** Frames that know their number, so that a missing or doubled or altered one shows. */

/** Small segments, so that a kill also meets the change from one to the next. */
export const LOG_UNDER_FIRE = {
  name: "fire/log",
  framing: "binary",
  segmentBytesMax: 20_000,
  chunkBytes: 4_000,
} as const;

export function numberedFrame(number: number): Uint8Array {
  return new TextEncoder().encode(`frame ${number} ${"x".repeat((number * 37) % 200)}`);
}
