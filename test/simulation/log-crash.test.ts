/** The log's promises under every fault that the simulated disk can make, one after the other. */
import { test } from "node:test";
import { openLog } from "../../src/base/log/index.ts";
import {
  crashEverywhere,
  failEverywhere,
  fillEverywhere,
  flipEverywhere,
} from "../support/base/log/log-trials.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const seeds = isFull ? 100 : 2;

for (const framing of ["binary", "line"] as const) {
  test(`a ${framing} log survives a crash after every single event`, (context) => {
    context.diagnostic(`${crashEverywhere(openLog, framing, seeds)} crashes`);
  });

  test(`a ${framing} log survives a failure of each call to the disk`, (context) => {
    context.diagnostic(`${failEverywhere(openLog, framing, seeds)} failures`);
  });

  test(`a ${framing} log loses and doubles nothing when the disk fills at any length`, (context) => {
    context.diagnostic(`${fillEverywhere(openLog, framing)} lengths`);
  });

  test(`no flipped bit alters a frame of a ${framing} log or costs more than one`, (context) => {
    context.diagnostic(`${flipEverywhere(openLog, framing, isFull)} bits`);
  });
}
