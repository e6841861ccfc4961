/**
 * Certificates (X.509, RFC 5280) with a key of the curve P-256, written by hand since Node can only read
 * them. Every part of a certificate that a mesh or a test needs has its line here, and nothing else.
 */
import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { der } from "./der.ts";

export interface CertificateContents {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  /** The key of the issuer. */
  readonly signer: KeyObject;
  /** From 1 to 127. */
  readonly serial: number;
  /** The hosts that it is for. */
  readonly hosts: readonly string[];
  readonly isAuthority: boolean;
  readonly fromYear: number;
  readonly toYear: number;
}

const ECDSA_SHA256 = der.sequence(der.name(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const VERSION_3 = der.at(0, der.integer(2));

/** In PEM. */
export function printCertificate(contents: CertificateContents): string {
  const { subject, issuer, publicKey, signer, serial, fromYear, toYear } = contents;
  const body = der.sequence(
    VERSION_3,
    der.integer(serial),
    ECDSA_SHA256,
    commonName(issuer),
    der.sequence(der.newYear(fromYear), der.newYear(toYear)),
    commonName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der.at(3, der.sequence(...extensions(contents))),
  );
  const signature = sign("sha256", body, signer);
  const whole = der.sequence(body, ECDSA_SHA256, der.bits(signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** The SHA-256 of the key that a certificate, or a private key, in PEM has; in hexadecimal digits. */
export function keyDigest(pem: string): string {
  const key = createPublicKey(pem).export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("hex");
}

function extensions({ hosts, isAuthority }: CertificateContents): Buffer[] {
  const constraints = der.sequence(...(isAuthority ? [der.yes()] : []));
  const all = [der.sequence(der.name(0x55, 0x1d, 0x13), der.yes(), der.octets(constraints))];
  if (hosts.length > 0) {
    const names = hosts.map((host) => der.plainAt(2, Buffer.from(host)));
    all.push(der.sequence(der.name(0x55, 0x1d, 0x11), der.octets(der.sequence(...names))));
  }
  return all;
}

function commonName(name: string): Buffer {
  const words = der.sequence(der.name(0x55, 0x04, 0x03), der.text(name));
  return der.sequence(der.set(words));
}
