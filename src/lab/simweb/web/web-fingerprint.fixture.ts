/** Digests of synthetic webs; run as a program it prints those of all profiles, one line each. */
import { createHash } from "node:crypto";
import { answerTo } from "../../../../test/support/lab/small-web.ts";
import { GeneratedWeb, PROFILES, type ProfileName } from "../index.ts";

/** A digest over the hosts of a web and over the answers to some of its URLs. */
export function webFingerprint(web: GeneratedWeb): string {
  const hash = createHash("sha256");
  for (let host = 0; host < web.hostCount; host += Math.ceil(web.hostCount / 20)) {
    hash.update(JSON.stringify(web.hostAt(host)));
    const size = web.model.hosts.size(host);
    for (let slot = 0; slot < size; slot += Math.ceil(size / 10)) {
      const { status, headers, body, oddity, delayMs } = answerTo(web, web.model.url(host, slot));
      hash.update(JSON.stringify([status, headers, oddity, delayMs])).update(body);
    }
    hash.update(answerTo(web, `http://${web.hostAt(host).name}/robots.txt`).body);
  }
  return hash.digest("hex");
}

export function profileFingerprints(): string {
  const names = Object.keys(PROFILES) as ProfileName[];
  const lines = names.map((name) => {
    const web = new GeneratedWeb({ profile: PROFILES[name], seed: "every process" });
    return `${name} ${webFingerprint(web)}\n`;
  });
  return lines.join("");
}

if (import.meta.main) process.stdout.write(profileFingerprints());
