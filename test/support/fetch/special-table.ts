/**
 * Ranges that are not part of the public internet, copied from the registries a second time, for
 * tests only: a table tested against itself would show nothing.
 */
export const SPECIAL_IPV4: readonly string[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
];

export const SPECIAL_IPV6: readonly string[] = [
  "::/128",
  "::1/128",
  "64:ff9b:1::/48",
  "100::/64",
  "100:0:0:1::/64",
  "2001::/23",
  "2001:db8::/32",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

/** IPv6 addresses that hold an IPv4 address; the last is Teredo's client, its bits turned. */
export const EMBEDDINGS: readonly ((ipv4: string) => string)[] = [
  (ipv4) => `::ffff:${ipv4}`,
  (ipv4) => `::${ipv4}`,
  (ipv4) => `64:ff9b::${ipv4}`,
  (ipv4) => `64:ff9b:1::${ipv4}`,
  (ipv4) => `2002:${hexOf(ipv4)}::1`,
  (ipv4) => `2001:0:${hexOf(ipv4)}:0:ffff:f7f7:f7f7`,
  (ipv4) => `2001:0:808:808:0:ffff:${hexOf(turned(ipv4))}`,
];

export const PUBLIC: readonly string[] = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "191.255.255.255",
  "192.0.1.0",
  "192.0.3.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "203.0.114.0",
  "223.255.255.255",
  "168.63.129.15",
  "2000::1",
  "2001:200::1",
  "2001:db7:ffff::1",
  "2001:db9::1",
  "2606:4700:4700::1111",
  "2a00:1450:4001:82b::200e",
  "3ffe:ffff::1",
  "3fff:1000::1",
  "64:ff9b::8.8.8.8",
  "::ffff:8.8.8.8",
  "2002:808:808::1",
];

/** The first, the last and a middle address of a range. */
export function samplesOf(range: string): readonly string[] {
  const [address = "", bits = ""] = range.split("/");
  const width = address.includes(":") ? 128 : 32;
  const size = 1n << BigInt(width - Number(bits));
  const first = numberOf(address);
  return [first, first + size / 2n, first + size - 1n].map((number) => textOf(number, width));
}

function numberOf(address: string): bigint {
  if (!address.includes(":")) return BigInt(`0x${hexOf(address).replace(":", "")}`);
  const [before = "", after = ""] = address.split("::");
  const head = before.split(":").filter((group) => group !== "");
  const tail = after.split(":").filter((group) => group !== "");
  const zeros = new Array<string>(8 - head.length - tail.length).fill("0");
  const groups = [...head, ...zeros, ...tail].map((group) => group.padStart(4, "0"));
  return BigInt(`0x${groups.join("")}`);
}

function textOf(number: bigint, width: number): string {
  const digits = number.toString(16).padStart(width / 4, "0");
  if (width === 128) return (digits.match(/.{4}/g) ?? []).join(":");
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)).join(".");
}

function hexOf(ipv4: string): string {
  const digits = ipv4.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return `${digits.slice(0, 2).join("")}:${digits.slice(2).join("")}`;
}

function turned(ipv4: string): string {
  return ipv4
    .split(".")
    .map((part) => 255 - Number(part))
    .join(".");
}

/** The samples of all special ranges, and a few of them inside each form that can hold them. */
export const FORBIDDEN: readonly string[] = [
  ...SPECIAL_IPV4.flatMap(samplesOf),
  ...SPECIAL_IPV6.flatMap(samplesOf),
  ...EMBEDDINGS.flatMap((embedded) =>
    ["127.0.0.1", "169.254.169.254", "10.0.0.1", "0.0.0.0"].map(embedded),
  ),
];
