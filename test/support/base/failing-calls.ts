/**
 * The operating system's file calls with a fault in between: one of them answers with an error
 * instead of being made. Closing is made all the same, or descriptors would leak.
 */
import type { DiskCalls } from "../../../src/base/storage/index.ts";

export interface CallFaults {
  /** How many calls are made before one fails; below 0 for never. */
  callsLeft: number;
  /** What the failing call answers; EIO unless said otherwise. */
  readonly code?: string;
  /** The name of the call that failed. */
  failed?: string;
}

type AnyCall = (...args: unknown[]) => void;

export function failingCalls(calls: DiskCalls, faults: CallFaults): DiskCalls {
  const handler: ProxyHandler<DiskCalls> = {
    get: (target, name) => {
      const call = Reflect.get(target, name) as AnyCall;
      return (...args: unknown[]) => {
        const fails = name !== "soon" && faults.callsLeft === 0;
        if (name !== "soon") faults.callsLeft -= 1;
        const error = planted(faults.code ?? "EIO");
        if (fails) faults.failed = String(name);
        if (!fails) call(...args);
        else if (name === "close") call(args[0], () => answer(args, error));
        else setImmediate(() => answer(args, error));
      };
    },
  };
  return new Proxy(calls, handler);
}

function answer(args: unknown[], error: NodeJS.ErrnoException): void {
  (args.at(-1) as (error: NodeJS.ErrnoException) => void)(error);
}

function planted(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: planted failure`), { code });
}
