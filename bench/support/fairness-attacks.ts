/** The attacks of `fairness.ts`, by name. */
export const ATTACKS = [
  "silent names",
  "drip from three networks",
  "drip from many networks",
  "wildcard farm",
] as const;

export type Attack = (typeof ATTACKS)[number];

export const HONEST_HOSTS = 50;
const SILENT_NAMES = 2000;
const DRIPPING_HOSTS = 600;
const FARM_HOSTS = 500;

export function isHonest(host: string): boolean {
  return host.startsWith("honest");
}

export function honestHosts(): string[] {
  return Array.from({ length: HONEST_HOSTS }, (_, at) => `honest${at}.test`);
}

export function hostileHosts(attack: Attack): string[] {
  switch (attack) {
    case "silent names":
      return Array.from({ length: SILENT_NAMES }, (_, at) => `h${at}.tarpit.test`);
    case "wildcard farm":
      return Array.from({ length: FARM_HOSTS }, (_, at) => `h${at}.farm.test`);
    default:
      return Array.from({ length: DRIPPING_HOSTS }, (_, at) => `slow${at}.test`);
  }
}
