/**
 * The kind `remote` of connectors: one end is here, the other in another process, whose topology has a
 * connector of the same id. The side with the producers says where the other listens, `to`; the side
 * with the consumers says where it listens itself, `listen`.
 *
 * Opening one takes a transport and a disk, which this module has not: whoever runs topologies gives
 * the function that opens.
 */

import { key, type SchemaTree, value } from "../../rules/settings/index.ts";
import type { Connector } from "../connector/index.ts";
import type { ItemType } from "../items/index.ts";
import type { ConnectorKind } from "./library.ts";

export interface RemoteSettings {
  readonly to: string | null;
  readonly listen: string | null;
  readonly capacity: number;
  readonly senders: number;
  readonly batch: number;
  readonly batchSize: number;
  readonly linger: number;
  readonly spill: number;
  readonly timeout: number;
}

export type OpenRemote = (
  type: ItemType<unknown>,
  settings: RemoteSettings,
  id: string,
) => Connector<unknown> | Promise<Connector<unknown>>;

const PORT_MAX = 65_535;

const address = value.text({
  form: "an address and port of this machine",
  examples: ["127.0.0.1:7301"],
  check(text) {
    const port = /^(?:\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text)?.[1];
    if (port === undefined) return "is not host:port";
    return Number(port) <= PORT_MAX ? null : `has a port beyond ${PORT_MAX}`;
  },
});

const SETTINGS: SchemaTree<RemoteSettings> = {
  to: key(value.nullable(address), {
    default: null,
    meaning: "Where the process with the consumers listens.",
  }),
  listen: key(value.nullable(address), {
    default: null,
    meaning: "Where this process listens for those with the producers.",
  }),
  capacity: key(value.count({ min: 1, max: 1_000_000 }), {
    default: 1024,
    meaning: "Items in memory on each side at most.",
  }),
  senders: key(value.count({ min: 1, max: 4096 }), {
    default: 1,
    meaning: "It has ended when the producers of this many processes are done.",
  }),
  batch: key(value.count({ min: 1, max: 100_000 }), {
    default: 100,
    meaning: "Items that are sent together.",
  }),
  batchSize: key(value.byteSize({ min: 1, max: 1024 * 1024 * 1024 }), {
    default: 256 * 1024,
    meaning: "Bytes that are sent together.",
  }),
  linger: key(value.duration({ min: 0, max: 60_000 }), {
    default: 5,
    meaning: "After this time a batch is sent although it is not full.",
  }),
  spill: key(value.byteSize({ min: 1024 }), {
    default: 1024 * 1024 * 1024,
    meaning: "What may wait on disk while the other side is away or full.",
  }),
  timeout: key(value.duration({ min: 1, max: 3_600_000 }), {
    default: 10_000,
    meaning: "After this time without an answer a batch is sent again.",
  }),
};

export function remoteKind(open: OpenRemote): ConnectorKind<RemoteSettings> {
  return {
    ...{ name: "remote", settings: SETTINGS, needsCodec: true, isOneEnded: true, open },
    problemOf({ to, listen }, { isFilled, isTaken }) {
      if ((to === null) === (listen === null)) return "needs either `to` or `listen`";
      if (to !== null && isTaken) {
        return `sends to ${to}: no component of this process can take items out of it`;
      }
      const isMisused = listen !== null && isFilled;
      return isMisused
        ? `receives at ${listen}: no component of this process can put items into it`
        : null;
    },
  };
}
