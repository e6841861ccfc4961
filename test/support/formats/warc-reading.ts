/** Reading a whole archive at once, for tests. */
import { type ReadRecord, RecordScanner, type ScanStep } from "../../../src/formats/warc/index.ts";

/** Every step of a file whose bytes come in pieces of `pieceBytes`. */
export function scanAll(bytes: Uint8Array, pieceBytes: number = bytes.length): ScanStep[] {
  const scanner = new RecordScanner();
  const steps: ScanStep[] = [];
  const drain = () => {
    for (let step = scanner.next(); step !== null; step = scanner.next()) steps.push(step);
  };
  for (let at = 0; at < bytes.length; at += Math.max(1, pieceBytes)) {
    scanner.push(bytes.subarray(at, at + Math.max(1, pieceBytes)));
    drain();
  }
  scanner.end();
  drain();
  return steps;
}

export function recordsOf(steps: readonly ScanStep[]): ReadRecord[] {
  return steps.flatMap((step) => (step.kind === "record" ? [step.record] : []));
}

export function damageOf(steps: readonly ScanStep[]): Extract<ScanStep, { kind: "damage" }>[] {
  return steps.flatMap((step) => (step.kind === "damage" ? [step] : []));
}
