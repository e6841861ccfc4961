import assert from "node:assert/strict";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { test } from "node:test";
import { keyDigest, printCertificate } from "./certificate.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const CONTENTS = {
  ...{ subject: "Sordello", issuer: "Sordello", publicKey, signer: privateKey, serial: 7 },
  ...{ hosts: ["localhost", "mantova.test"], isAuthority: true, fromYear: 2020, toYear: 2049 },
};

test("a certificate says what was asked for, and is signed", () => {
  const certificate = new X509Certificate(printCertificate(CONTENTS));
  assert.equal(certificate.subject, "CN=Sordello");
  assert.equal(certificate.subjectAltName, "DNS:localhost, DNS:mantova.test");
  assert.equal(certificate.serialNumber, "07");
  assert.equal(certificate.ca, true);
  assert.equal(certificate.validFromDate.toISOString(), "2020-01-01T00:00:00.000Z");
  assert.equal(certificate.validToDate.toISOString(), "2049-01-01T00:00:00.000Z");
  assert.ok(certificate.verify(publicKey));
});

test("names of any length fit in", () => {
  for (let length = 1; length < 400; length += 7) {
    const subject = "s".repeat(length);
    const pem = printCertificate({ ...CONTENTS, subject, hosts: [] });
    assert.equal(new X509Certificate(pem).subject, `CN=${subject}`);
  }
});

test("a key and its certificate have the same digest, and other keys others", () => {
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const digest = keyDigest(printCertificate(CONTENTS));
  assert.match(digest, /^[0-9a-f]{64}$/);
  assert.equal(keyDigest(key), digest);
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  assert.notEqual(keyDigest(other.export({ type: "pkcs8", format: "pem" }).toString()), digest);
});
