/** Plays web scripts on real sockets on loopback: one server, one path for each script. */
import { createServer, type Server, type Socket } from "node:net";
import type { WebScript, WebStep } from "../../src/lab/simulator/index.ts";

export interface ScriptServer {
  readonly places: readonly { readonly url: string; readonly address: string }[];
  close(): Promise<void>;
}

/** Host names in the URLs resolve nowhere: only the address given leads to the server. */
export async function startScriptServer(scripts: readonly WebScript[]): Promise<ScriptServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    serve(socket, scripts);
  });
  const port = await listen(server);
  const deafPort = await unusedPort();
  return {
    places: scripts.map((script, index) => ({
      url: `http://host-${index}.invalid:${script.connect === "refuse" ? deafPort : port}/${index}`,
      address: "127.0.0.1",
    })),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : 0);
    });
  });
}

/** A port where nothing listens: one that was just closed. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

function serve(socket: Socket, scripts: readonly WebScript[]): void {
  let request = "";
  socket.on("data", (chunk) => {
    const hadAll = request.includes("\r\n\r\n");
    request += chunk.toString("latin1");
    if (hadAll || !request.includes("\r\n\r\n")) return;
    const index = Number(/^GET \/(\d+) /.exec(request)?.[1]);
    void play(socket, scripts[index]?.steps ?? [], request);
  });
}

async function play(socket: Socket, steps: readonly WebStep[], request: string): Promise<void> {
  let isChunked = false;
  const send = (bytes: Uint8Array) => {
    if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes);
    if (isChunked) socket.write("\r\n");
  };
  for (const step of steps) {
    if (step.do === "hang") return;
    if (step.do === "head") {
      const names = (step.headers ?? []).map(([name]) => name.toLowerCase());
      isChunked = !names.includes("content-length") && step.status !== 204;
      socket.write(headOf(step, isChunked));
    } else if (step.do === "interim") socket.write(interimOf(step));
    else if (step.do === "body") send(step.bytes);
    else if (step.do === "echo") send(echoOf(request));
    else if (step.do === "garbage") socket.write(step.bytes);
    else if (step.do === "wait") await pause(step.forMs);
    else if (step.do === "repeat") {
      while (!socket.destroyed) {
        send(step.bytes);
        await pause(step.everyMs);
      }
    } else {
      // What was written must be sent before the connection breaks.
      socket.write("", () => socket.resetAndDestroy());
      return;
    }
  }
  socket.end(isChunked ? "0\r\n\r\n" : "");
}

function headOf(step: WebStep & { do: "head" }, isChunked: boolean): string {
  const lines = (step.headers ?? []).map(([name, value]) => `${name}: ${value}\r\n`);
  if (isChunked) lines.push("Transfer-Encoding: chunked\r\n");
  return `HTTP/1.1 ${step.status} ${step.reason ?? ""}\r\n${lines.join("")}\r\n`;
}

function interimOf({ status, headers = [] }: WebStep & { do: "interim" }): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Interim\r\n${lines.join("")}\r\n`;
}

function echoOf(request: string): Uint8Array {
  const lines = request.split("\r\n").slice(1);
  const pairs = lines.map((line) => /^([^:]+): *(.*)$/.exec(line)).filter((pair) => pair !== null);
  return Buffer.from(pairs.map(([, name, value]) => `${name?.toLowerCase()}: ${value}\n`).join(""));
}

function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}
