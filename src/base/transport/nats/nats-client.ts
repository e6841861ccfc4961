/**
 * The client of NATS, with connections that always end when they are given up. Its own transport forgets a
 * connection on which no server has spoken yet: the socket stays open, and keeps the process, until the
 * other side closes it, and one that hangs never does.
 */
import { connect as connectTo, type Socket } from "node:net";
import {
  type ConnectionOptions,
  NatsConnectionImpl,
  setTransportFactory,
} from "@nats-io/transport-node";
import { NodeTransport, nodeResolveHost } from "@nats-io/transport-node/lib/node_transport.js";

export { headers, nkeyAuthenticator } from "@nats-io/transport-node";

type Connection = Awaited<ReturnType<typeof NatsConnectionImpl.connect>>;

class EndingTransport extends NodeTransport {
  /** Its socket is known from the beginning, so that one that does not come about is ended too. */
  override async dial({ hostname, port }: { hostname: string; port: number }): Promise<Socket> {
    const socket = connectTo(port, hostname);
    this.socket = socket;
    socket.setNoDelay(true);
    return await new Promise((resolve, reject) => {
      socket.once("error", reject).once("connect", () => {
        socket.removeAllListeners();
        resolve(socket);
      });
    });
  }

  override async close(error?: Error): Promise<void> {
    if (this.connected) await super.close(error);
    else this.discard();
  }
}

/** Rejects if no server takes it, and nothing of it is left then. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  setTransportFactory({ factory: () => new EndingTransport(), dnsResolveFn: nodeResolveHost });
  return await NatsConnectionImpl.connect(options);
}
