/** What `trobar doctor` asks a machine; each check looks at some of the answers. */
import type { Configuration } from "../../rules/config/index.ts";

export interface Machine {
  readonly cores: number;
  /** Of the machine, or of the container if that may use less. */
  readonly memoryBytes: number;
  /**
   * What a crawl of this configuration would have less of than it asks for, because the process may not
   * use more; null for nothing. Throws the error with which a crawl would be refused.
   */
  shortage(configuration: Configuration): string | null;
  readonly versions: Readonly<Record<"node" | "openssl" | "sqlite", string>>;
  /** The wall clock. */
  readonly nowMs: number;
  /** Tries the disk on which this folder is, or will be. */
  disk(folder: string): Promise<DiskFacts>;
  /** Asks for the addresses of a host; null asks the servers of the system. */
  resolve(host: string, server: string | null): Promise<NameFacts>;
  /** The version of the nats-server that agents would start; null if there is none. */
  natsVersion(): Promise<string | null>;
}

export type DiskFacts =
  | {
      readonly kind: "usable";
      /** The folder that was tried: the nearest that exists. */
      readonly folder: string;
      readonly freeBytes: number;
      /** The number by which the system knows the kind of file system. */
      readonly fileSystem: number;
      /** How long it takes to make a small write durable. */
      readonly syncMs: number;
      /** When the disk says that the write was made. */
      readonly writtenAtMs: number;
    }
  | { readonly kind: "unusable"; readonly folder: string; readonly why: string };

export type NameFacts =
  | { readonly kind: "found"; readonly addresses: number; readonly tookMs: number }
  | { readonly kind: "failed"; readonly why: string };
