/** Reads one answer by Node's own HTTP client, that is by llhttp in its default mode. */
import { request } from "node:http";
import { Duplex } from "node:stream";

export interface NodeAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  /** Why it was refused, in llhttp's words; null when the answer is whole. */
  readonly error: string | null;
}

export function nodeAnswer(bytes: Buffer): Promise<NodeAnswer> {
  return new Promise((resolve) => {
    const wire = new Duplex({ read() {}, write: (_, __, done) => done() });
    const seen = { status: 0, headers: [] as readonly string[], body: "" };
    const end = (error: string | null) => {
      resolve({ ...seen, error });
      wire.destroy();
    };
    const client = request({ host: "x", createConnection: () => wire, maxHeaderSize: 64 * 1024 });
    client.on("error", (error) => end("code" in error ? String(error.code) : error.message));
    client.on("upgrade", () => end("upgrade"));
    client.on("response", (response) => {
      seen.status = response.statusCode ?? 0;
      seen.headers = response.rawHeaders;
      response.on("data", (piece: Buffer) => {
        seen.body += piece.toString("latin1");
      });
      response.on("error", () => {});
      response.on("close", () => end(response.complete ? null : "incomplete"));
    });
    client.end();
    wire.push(bytes);
    wire.push(null);
  });
}
