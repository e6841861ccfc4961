/** A name server on loopback for a web that nobody serves: its addresses may be any. */

import { DnsServer } from "../../src/simweb/dns-server.ts";
import type { SyntheticWeb } from "../../src/simweb/index.ts";
import { WebNames } from "../../src/simweb/web-names.ts";
import { SystemClock } from "../../src/time/index.ts";

export interface NameServer extends AsyncDisposable {
  readonly port: number;
  readonly names: WebNames;
}

export async function openNameServer(web: SyntheticWeb): Promise<NameServer> {
  const clock = new SystemClock();
  const names = new WebNames({ web, clock, listenOn: (_, done) => done(true) });
  const server = await DnsServer.open({ port: 0, names, clock });
  return { port: server.port, names, [Symbol.asyncDispose]: () => server.close() };
}
