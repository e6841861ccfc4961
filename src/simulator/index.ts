/**
 * The simulated world.
 */
export { SimBackground, type SimBackgroundOptions } from "./sim-background.ts";
export { SimDatabase, type SimDatabaseOptions } from "./sim-database.ts";
export { SimDatabaseDisk } from "./sim-database-disk.ts";
export {
  CALM_DISK,
  type DiskCall,
  type DiskCallKind,
  type DiskSpeed,
  SimDisk,
} from "./sim-disk.ts";
export { SimFetcher, type SimFetcherOptions } from "./sim-fetcher.ts";
export { SimStorage } from "./sim-storage.ts";
export type { WebScript, WebStep } from "./web-script.ts";
