/**
 * The simulated world.
 */
export { SimDatabase, type SimDatabaseOptions } from "./sim-database.ts";
export { SimDatabaseDisk } from "./sim-database-disk.ts";
