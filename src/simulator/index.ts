/** To come. */
export {
  CALM_DISK,
  type DiskCall,
  type DiskCallKind,
  type DiskSpeed,
  SimDisk,
} from "./sim-disk.ts";
export { SimStorage } from "./sim-storage.ts";
