/**
 * A web on loopback with scripted servers and name servers: any name resolves to any address of
 * 127.0.0.0/8, or to silence, and one server behind all those addresses answers at once, or drop by
 * drop. It counts what it was asked.
 */
import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostileWorldOptions {
  /** The IPv4 address of a name; null when nothing is ever answered. */
  readonly addressOf: (name: string) => string | null;
  readonly serve: (host: string, path: string, response: ServerResponse) => void;
}

export class HostileWorld implements AsyncDisposable {
  readonly port: number;
  readonly dnsPort: number;
  /** Distinct names asked about. */
  readonly names: Set<string>;
  readonly #servers: { readonly names: Socket; readonly pages: Server };

  private constructor(names: Socket, pages: Server, asked: Set<string>) {
    this.#servers = { names, pages };
    this.names = asked;
    this.port = (pages.address() as AddressInfo).port;
    this.dnsPort = names.address().port;
  }

  static async open({ addressOf, serve }: HostileWorldOptions): Promise<HostileWorld> {
    const asked = new Set<string>();
    const names = createSocket("udp4");
    names.on("message", (question, { port, address }) => {
      const name = nameIn(question);
      asked.add(name);
      const found = addressOf(name);
      if (found !== null) names.send(answerTo(question, found), port, address);
    });
    const pages = createServer((request, response) => {
      const host = (request.headers.host ?? "").replace(/:\d+$/, "");
      serve(host, request.url ?? "/", response);
    });
    await new Promise<void>((bound) => names.bind(0, "127.0.0.1", bound));
    await new Promise<void>((listening) => pages.listen(0, "0.0.0.0", 4096, listening));
    return new HostileWorld(names, pages, asked);
  }

  url(host: string, path = "/"): string {
    return `http://${host}:${this.port}${path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { names, pages } = this.#servers;
    pages.closeAllConnections();
    await new Promise<void>((closed) => names.close(closed));
    await new Promise<void>((closed) => pages.close(() => closed()));
  }
}

/** Sends a body that never ends at this rate. */
export function drip(response: ServerResponse, bytesPerSecond: number): void {
  response.writeHead(200, { "Content-Type": "text/html" });
  const timer = setInterval(() => response.write("x".repeat(bytesPerSecond / 10)), 100);
  response.on("close", () => clearInterval(timer));
}

const HEADER_BYTES = 12;
const TYPE_A = 1;

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; (question[at] ?? 0) > 0; at += (question[at] as number) + 1) {
    labels.push(question.toString("latin1", at + 1, at + 1 + (question[at] as number)));
  }
  return labels.join(".").toLowerCase();
}

/** One address for a question about IPv4, none for any other. */
function answerTo(question: Buffer, address: string): Buffer {
  const end = HEADER_BYTES + nameIn(question).length + 2 + 4;
  const head = Buffer.from(question.subarray(0, end));
  const isIpv4 = head.readUInt16BE(end - 4) === TYPE_A;
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isIpv4 ? 1 : 0, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4]);
  return isIpv4 ? Buffer.concat([head, record, Buffer.from(address.split(".").map(Number))]) : head;
}
