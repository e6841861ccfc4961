import { once } from "node:events";
import { createServer } from "node:net";

/** A loopback address at which nobody listens. */
export async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return `127.0.0.1:${port}`;
}
