/** Worker: inspects more lines, and prints more rows, than would fit into its memory. */
import { parentPort, workerData } from "node:worker_threads";
import { inspectUrl } from "../../src/cli/inspect/inspect-url.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const LINES_PER_CHUNK = 1_000;
let rows = 0;

async function* stdin(): AsyncGenerator<Uint8Array> {
  for (let line = 0; line < workerData.lines; line += LINES_PER_CHUNK) {
    const lines = Array.from({ length: LINES_PER_CHUNK }, (_, index) => {
      return `http://host-${(line + index) % 977}.example.org/some/folder/page-${line + index}.html`;
    });
    yield Buffer.from(`${lines.join("\n")}\n`);
  }
}

async function write(text: string): Promise<boolean> {
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) rows += 1;
  return true;
}

const terminal = Object.assign(new RecordedTerminal({ input: stdin() }), { write });
await inspectUrl(["-", "--json"], terminal);
parentPort?.postMessage(rows);
