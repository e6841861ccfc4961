/** A simulated machine with what tests of a log ask of it again and again. */
import assert from "node:assert/strict";
import {
  type FrameBatch,
  type Log,
  type LogOptions,
  type LogReader,
  type OpenedLog,
  openLog,
} from "../../../../src/base/log/index.ts";
import { SimulatedMachine } from "../../lab/simulated-machine.ts";

export class LogMachine extends SimulatedMachine {
  open(options: Partial<LogOptions> = {}): OpenedLog {
    return this.result<OpenedLog>((done) => this.opening(options, done));
  }

  opening(options: Partial<LogOptions>, done: Parameters<typeof openLog>[1]): void {
    const { storage, random } = this;
    openLog({ name: "a/log", framing: "binary", ...options, storage, random }, done);
  }

  append(log: Log, ...texts: string[]): void {
    for (const text of texts) assert.notEqual(log.tryAppend(bytesOf(text)), null);
  }

  commit(log: Log): void {
    this.result((done) => log.commit(done));
  }

  /** All that the reader can get now: texts of frames, and damage as "from-to". */
  read(reader: LogReader): string[] {
    const found: string[] = [];
    for (;;) {
      const batch = this.result<FrameBatch>((done) => reader.read(done));
      if (batch.count === 0 && batch.damage.length === 0) return found;
      for (let index = 0; index < batch.count; index += 1) {
        found.push(new TextDecoder().decode(batch.payloadOf(index)));
      }
      found.push(...batch.damage.map(({ from, to }) => `${from}-${to}`));
    }
  }

  calls(kind: string, act: () => void): number {
    let calls = 0;
    this.disk.failWhen = (call) => {
      if (call.kind === kind) calls += 1;
      return false;
    };
    act();
    return calls;
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
