/** Plays a script for one fetch: the server's side of it, and the network between. */
import { assertNever } from "../../../base/errors/index.ts";
import type { FetchRequest } from "../../../base/seams/index.ts";
import type { SimFetch } from "./sim-fetch.ts";
import type { WebScript, WebStep } from "./web-script.ts";

interface Line {
  readonly fetch: SimFetch;
  /** Calls after this delay and the network's, unless the fetch is over by then. */
  later(delayMs: number, callback: () => void): void;
}

export function playScript(script: WebScript, request: FetchRequest, line: Line): void {
  if (script.connect === "hang") return;
  line.later(0, () => {
    if (script.connect === "refuse") {
      line.fetch.refuse();
      return;
    }
    line.fetch.connected();
    line.later(0, () => playSteps(script.steps, request, line));
  });
}

/** Steps that take no time follow each other in one event; a pause ends it. */
function playSteps(steps: readonly WebStep[], request: FetchRequest, line: Line): void {
  for (const [index, step] of steps.entries()) {
    if (line.fetch.isOver) return;
    if (step.do === "hang") return;
    if (step.do === "wait") {
      line.later(step.forMs, () => playSteps(steps.slice(index + 1), request, line));
      return;
    }
    if (step.do === "repeat") {
      line.fetch.receiveBody(step.bytes);
      line.later(step.everyMs, () => playSteps(steps.slice(index), request, line));
      return;
    }
    playStep(step, request, line.fetch);
  }
  line.fetch.end();
}

type InstantStep = Exclude<WebStep, { do: "hang" | "wait" | "repeat" }>;

function playStep(step: InstantStep, request: FetchRequest, fetch: SimFetch): void {
  switch (step.do) {
    case "head":
      fetch.receiveHead(step.status, step.headers ?? [], step.reason ?? "");
      break;
    case "interim":
      break;
    case "body":
      fetch.receiveBody(step.bytes);
      break;
    case "echo":
      fetch.receiveBody(echoOf(request));
      break;
    case "garbage":
      fetch.receiveGarbage();
      break;
    case "disconnect":
      fetch.disconnect();
      break;
    default:
      assertNever(step);
  }
}

function echoOf(request: FetchRequest): Uint8Array {
  const lines = request.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}\n`);
  return Buffer.from(lines.join(""));
}
