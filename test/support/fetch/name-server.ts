/** A name server on loopback for a web without servers: its addresses may be any. */

import { SystemClock } from "../../../src/base/time/index.ts";
import type { SyntheticWeb } from "../../../src/lab/simweb/index.ts";
import { DnsServer } from "../../../src/lab/simweb/serve/dns-server.ts";
import { WebNames } from "../../../src/lab/simweb/serve/web-names.ts";

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
