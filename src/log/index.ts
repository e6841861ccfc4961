/** To be written. */
export type { FrameBatch } from "./frame-batch.ts";
export type { FramingKind } from "./framing.ts";
export type { Log } from "./log.ts";
export type { LogOptions } from "./log-options.ts";
export type { LogReader } from "./log-reader.ts";
export { type OpenedLog, openLog } from "./open-log.ts";
export type { Position, Range } from "./position.ts";
export { removeLog } from "./remove-log.ts";
export { viewLog } from "./view-log.ts";
