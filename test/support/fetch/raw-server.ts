/** A server on loopback that does with each connection what a test says, byte by byte. */
import { createServer, type Server, type Socket } from "node:net";

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Heads of requests, in the order in which they came. */
  readonly requests: readonly string[];
  readonly openSockets: number;
  url(path?: string): string;
}

/** Called for every request (its head is whole); `nth` counts those of the connection from 0. */
export type Serve = (socket: Socket, request: string, nth: number) => void;

export interface RawServerOptions {
  readonly accepted?: (socket: Socket) => void;
  readonly create?: (accepted: (socket: Socket) => void) => Server;
  readonly scheme?: "http" | "https";
}

export async function serveRaw(serve: Serve, options: RawServerOptions = {}): Promise<RawServer> {
  const { create = createServer, scheme = "http" } = options;
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let accepted = 0;
  const server = create((socket) => {
    accepted++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    options.accepted?.(socket);
    readRequests(socket, (request, nth) => {
      requests.push(request);
      serve(socket, request, nth);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    port,
    requests,
    get accepted() {
      return accepted;
    },
    get openSockets() {
      return sockets.size;
    },
    url: (path = "/") => `${scheme}://host.test:${port}${path}`,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Serves these bytes to every request, then closes. */
export function serveBytes(bytes: string): Promise<RawServer> {
  return serveRaw((socket) => socket.end(bytes, "latin1"));
}

/** Serves the bytes whose number is the path, then closes. */
export function serveTable(rows: readonly string[]): Promise<RawServer> {
  return serveRaw((socket, request) => {
    const index = Number(/^GET \/(\d+) /.exec(request)?.[1]);
    socket.end(rows[index] ?? "", "latin1");
  });
}

function readRequests(socket: Socket, whole: (request: string, nth: number) => void): void {
  let text = "";
  let nth = 0;
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    for (let end = text.indexOf("\r\n\r\n"); end !== -1; end = text.indexOf("\r\n\r\n")) {
      const request = text.slice(0, end + 4);
      text = text.slice(end + 4);
      whole(request, nth);
      nth++;
    }
  });
}
