/**
 * The append log: everything that is appended and must not be lost goes through it.
 *
 * A log takes *frames*: payloads of bytes, each with a checksum that also ties it to its log and
 * its place. `tryAppend` only copies the payload into memory and gives its *position*; `commit`
 * answers when everything appended before is durable, and commits that come together share one
 * sync. When too much is pending, appending is refused until a commit has answered. A reader goes
 * forward from any position, sees committed frames, a batch at a time, and continues after damage,
 * whose range it reports.
 *
 * On disk a log is a few *segments* of bounded length and a *manifest* that names them and is only
 * ever replaced as a whole. `dropBefore` removes old segments, `cutTo` the end. Opening reads the
 * last segment, cuts a torn tail off, and reports what it cut. Committed frames are never cut,
 * whatever happened to the bytes between them, as long as a later commit proves that they were
 * committed. When the disk is full, frames stay pending and a later commit goes on. When a write or
 * a sync fails, the log is broken: close it and open it again.
 *
 * A frame is binary (`binary-framing.ts`), or a line of text that people can search
 * (`line-framing.ts`). The log holds no timer and no promise and touches no file but through the
 * storage it is given, so it runs the same in the simulator, where `test/simulation/log-*` lets it
 * crash after every event, fail at every call and meet every flipped bit.
 *
 * ```ts
 * openLog({ storage, name: "frontier/sieve/text", framing: "binary", random }, (error, opened) => {
 *   if (error !== null) return report(error);
 *   const position = opened.log.tryAppend(payload);
 *   opened.log.commit((failure) => …);
 * });
 * ```
 *
 * Words of this module:
 * - *salt*: random words that belong to one log and make its frames impossible to forge
 * - *tie*: a number mixed from salt, position and length that marks a frame of this log
 * - *first after a sync*: a flag of a frame: everything before it was durable when it was written
 * - *chunk*: memory in which frames wait to be written together; what is in memory only is
 *   *pending*
 * - *window*: the range of bytes that a reader is looking at
 *
 * Read `log.ts` first (the order of things on disk is in `log-segments.ts`), then `open-log.ts`,
 * and `frame-scanner.ts` for reading. `docs/adr/0005-log-format.md` has the reasons.
 */
export { checksum } from "./checksum.ts";
export { checkLog, eachFrame, type LogToCheck, type TellOfLog } from "./each-frame.ts";
export type { FrameBatch } from "./frame-batch.ts";
export type { FramingKind } from "./framing.ts";
export type { Log } from "./log.ts";
export type { LogOptions } from "./log-options.ts";
export type { LogReader } from "./log-reader.ts";
export { type OpenedLog, openLog } from "./open-log.ts";
export type { Position, Range } from "./position.ts";
export { type ViewedLog, viewLog } from "./view-log.ts";
