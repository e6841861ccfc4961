/** Effects awaited: for the few that happen before a crawl begins and after it has ended. */
import type { Acknowledge, Done } from "../../base/seams/index.ts";

export function answered<Value>(ask: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    ask((error, value) => (error === null ? resolve(value as Value) : reject(error)));
  });
}

export function acknowledged(ask: (done: Acknowledge) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    ask((error) => (error === null ? resolve() : reject(error)));
  });
}
