/** Certificates for tests, made as needed: an authority, and certificates with or without its signature. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { printCertificate } from "../../../src/base/transport/mesh/certificate.ts";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Wish {
  readonly host: string;
  readonly fromYear?: number;
  readonly toYear?: number;
}

const USUAL = { fromYear: 2020, toYear: 2049, isAuthority: false };

export class CertificateAuthority {
  readonly cert: string;
  readonly #keys = newKeys();
  readonly #name: string;
  #serial = 1;

  constructor(name = "Test Authority") {
    this.#name = name;
    const { publicKey, privateKey: signer } = this.#keys;
    const names = { subject: name, issuer: name, hosts: [], isAuthority: true };
    this.cert = printCertificate({ ...USUAL, ...names, publicKey, signer, serial: 1 });
  }

  /** A certificate signed by this authority. */
  issue({ host, ...years }: Wish): Certificate {
    const { publicKey, privateKey } = newKeys();
    this.#serial++;
    const cert = printCertificate({
      ...{ ...USUAL, ...years, subject: host, issuer: this.#name, hosts: [host] },
      ...{ publicKey, signer: this.#keys.privateKey, serial: this.#serial },
    });
    return { cert, key: pemOf(privateKey) };
  }

  /** A self-signed certificate. */
  static selfSigned(host: string): Certificate {
    const { publicKey, privateKey } = newKeys();
    const names = { subject: host, issuer: host, hosts: [host], serial: 7 };
    const cert = printCertificate({ ...USUAL, ...names, publicKey, signer: privateKey });
    return { cert, key: pemOf(privateKey) };
  }
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
