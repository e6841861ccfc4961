/**
 * Certificates for tests, made as needed: an authority, and certificates with or without its
 * signature. The few shapes of DER that a certificate needs are written here, so no other program is
 * required.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Wish {
  readonly host: string;
  readonly fromYear?: number;
  readonly toYear?: number;
}

export class CertificateAuthority {
  readonly cert: string;
  readonly #keys = newKeys();
  readonly #name: string;
  #serial = 1;

  constructor(name = "Test Authority") {
    this.#name = name;
    const wish = {
      subject: name,
      issuer: name,
      publicKey: this.#keys.publicKey,
      isAuthority: true,
    };
    this.cert = certificate({ ...wish, signer: this.#keys.privateKey, serial: 1 });
  }

  /** A certificate signed by this authority. */
  issue({ host, fromYear = 2020, toYear = 2049 }: Wish): Certificate {
    const { publicKey, privateKey } = newKeys();
    this.#serial++;
    const cert = certificate({
      ...{ subject: host, issuer: this.#name, publicKey, signer: this.#keys.privateKey },
      ...{ serial: this.#serial, host, fromYear, toYear },
    });
    return { cert, key: pemOf(privateKey) };
  }

  /** A self-signed certificate. */
  static selfSigned(host: string): Certificate {
    const { publicKey, privateKey } = newKeys();
    const names = { subject: host, issuer: host, host, serial: 7 };
    return {
      cert: certificate({ ...names, publicKey, signer: privateKey }),
      key: pemOf(privateKey),
    };
  }
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

interface Contents {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly serial: number;
  readonly host?: string;
  readonly fromYear?: number;
  readonly toYear?: number;
  readonly isAuthority?: boolean;
}

const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

function certificate(contents: Contents): string {
  const { subject, issuer, publicKey, signer, serial } = contents;
  const { fromYear = 2020, toYear = 2049 } = contents;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(serial)),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(time(fromYear), time(toYear)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions(contents))),
  );
  const signature = sign("sha256", body, signer);
  const whole = sequence(body, ECDSA_SHA256, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function extensions({ host, isAuthority = false }: Contents): Buffer[] {
  const constraints = sequence(...(isAuthority ? [der(0x01, Buffer.of(0xff))] : []));
  const all = [sequence(oid(0x55, 0x1d, 0x13), der(0x01, Buffer.of(0xff)), der(0x04, constraints))];
  if (host !== undefined) {
    const name = der(0x82, Buffer.from(host));
    all.push(sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(name))));
  }
  return all;
}

function nameOf(name: string): Buffer {
  const commonName = sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)));
  return sequence(der(0x31, commonName));
}

/** Years from 1950 to 2049, in the form with two digits. */
function time(year: number): Buffer {
  return der(0x17, Buffer.from(`${String(year).slice(2)}0101000000Z`));
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
