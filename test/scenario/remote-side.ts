/**
 * One side of a remote connector as a program: `receive ROOT ADDRESS` prints every number that it takes,
 * a line each, and ends when the connector is drained; `send ROOT ADDRESS COUNT` offers the numbers from
 * where its log ends up to COUNT, and ends when all have arrived.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { openTcpTransport, type TcpTransport } from "../../src/base/transport/index.ts";
import type { Inlet, Outlet } from "../../src/topology/connector/index.ts";
import { openReceiver, openSender, type Side } from "../support/topology/remote-rig.ts";

const [role, root = "", address = "", count = "0"] = process.argv.slice(2);
const clock = new SystemClock();
const listenAt = role === "receive" ? address : null;

openTcpTransport({ self: role ?? "", clock, listenAt }, (error, transport) => {
  if (error !== null) throw error;
  const side: Side = {
    ...{ clock, transport, storage: new DiskStorage(root), random: new SeededRandom(process.pid) },
    report: () => undefined,
  };
  if (role === "receive") receive(side, transport);
  else send(side, transport, Number(count));
});

function receive(side: Side, transport: TcpTransport): void {
  openReceiver(side, { markAfterMs: 20, segmentBytesMax: 4096 }, (error, connector) => {
    if (error !== null) throw error;
    const end = (): void => connector.close(() => transport.close());
    read(connector.openOutlet("reader"), end);
  });
}

function read(outlet: Outlet<number>, end: () => void): void {
  const items: number[] = [];
  outlet.takeInto(items, 7);
  if (items.length > 0) process.stdout.write(`${items.join("\n")}\n`);
  if (outlet.isDrained) end();
  else outlet.whenItems(() => setImmediate(() => read(outlet, end)));
}

function send(side: Side, transport: TcpTransport, total: number): void {
  openSender(side, address, { segmentBytesMax: 4096 }, (error, connector) => {
    if (error !== null) throw error;
    const end = (): void => connector.whenSettled(() => connector.close(() => transport.close()));
    write(connector.openInlet(), { next: connector.offered, total }, end);
  });
}

function write(
  inlet: Inlet<number>,
  { next, total }: { readonly next: number; readonly total: number },
  end: () => void,
): void {
  if (next >= total) {
    inlet.close();
    end();
    return;
  }
  const isOffered = inlet.tryOffer([next]);
  const go = (): void => write(inlet, { next: isOffered ? next + 1 : next, total }, end);
  if (isOffered) setImmediate(go);
  else inlet.whenRoom(1, () => setImmediate(go));
}
