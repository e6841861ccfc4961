/** A small HTTP proxy on loopback: whole URLs in the clear, tunnels by `CONNECT`. */
import { connect, type Server, type Socket } from "node:net";
import { type RawServer, serveRaw } from "./raw-server.ts";

export interface ProxyOptions {
  /** Where every name leads. */
  readonly port: number;
  /** Needed as `user:password`; nothing is needed without it. */
  readonly credentials?: string;
  readonly create?: (accepted: (socket: Socket) => void) => Server;
}

export function startProxy(options: ProxyOptions): Promise<RawServer> {
  const { port, credentials, create } = options;
  const wanted = credentials === undefined ? "" : `Basic ${btoa(credentials)}`;
  return serveRaw(
    (socket, request) => {
      const given = /^proxy-authorization: (.*)\r$/im.exec(request)?.[1] ?? "";
      if (given !== wanted) socket.write("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n");
      else forward(socket, request, port);
    },
    create === undefined ? {} : { create },
  );
}

function forward(socket: Socket, request: string, port: number): void {
  const behind = connect({ port, host: "127.0.0.1" });
  behind.on("error", () => socket.end("HTTP/1.1 502 Gone\r\n\r\n"));
  socket.on("close", () => behind.destroy());
  behind.on("connect", () => {
    const isTunnel = request.startsWith("CONNECT ");
    if (isTunnel) socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    else behind.write(request.replace(/^GET http:\/\/[^/]+/, "GET "), "latin1");
    socket.removeAllListeners("data");
    socket.pipe(behind);
    behind.pipe(socket);
  });
}
