/**
 * The server of `http-fetch.ts`, a process of its own: one page, a number of times per connection.
 */
import { createServer } from "node:net";

const requestsMax = Number(process.argv[2] ?? 0);
const page = "x".repeat(25_000);

function answer(isLast: boolean): Buffer {
  const lines = [
    "HTTP/1.1 200 OK",
    "Date: Mon, 01 Jan 2029 00:00:00 GMT",
    "Server: bench",
    "Content-Type: text/html; charset=utf-8",
    `Content-Length: ${page.length}`,
    "Last-Modified: Sun, 31 Dec 2028 00:00:00 GMT",
    'ETag: "5c8-62a8f9c7"',
    "Cache-Control: max-age=3600",
    "Vary: Accept-Encoding",
    `Connection: ${isLast ? "close" : "keep-alive"}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${page}`);
}

const going = answer(false);
const last = answer(true);

const server = createServer({ noDelay: true }, (socket) => {
  let served = 0;
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes) => {
    // Requests of the bench are small and come one at a time.
    if (!bytes.includes("\r\n\r\n")) return;
    served++;
    if (served === requestsMax) socket.end(last);
    else socket.write(going);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(address !== null && typeof address === "object" ? address.port : 0);
});
process.on("disconnect", () => process.exit());
