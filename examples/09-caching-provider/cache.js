/**
 * A resolver that remembers what another resolver said. It provides the role that it uses, so a topology
 * can put it in front of any resolver, and those who ask do not notice.
 */
import { counter, key, provider, value } from "trobar/units";
import { Resolver } from "../07-host-addresses/units.js";

export const cachedResolver = provider({
  name: "cached-resolver",
  provides: Resolver,
  providers: { behind: Resolver },
  settings: {
    // Live: the next question already has its effect. Other settings would make the provider anew.
    hosts: key(value.count({ min: 1 }), { default: 1000, meaning: "Hosts kept.", live: true }),
  },
  metrics: { hits: counter("answers from memory"), misses: counter("questions passed on") },
  create(unit) {
    /** Promises, so that several who ask for one host at once share one question. */
    const answers = new Map();
    const addressesOf = (host) => {
      const known = answers.get(host);
      (known === undefined ? unit.metrics.misses : unit.metrics.hits).add();
      if (known !== undefined) return known;
      const answer = unit.providers.behind.addressesOf(host);
      answers.set(host, answer);
      answer.catch(() => answers.delete(host));
      for (const oldest of answers.keys()) {
        if (answers.size <= unit.settings.hosts) break;
        answers.delete(oldest);
      }
      return answer;
    };
    return { service: { addressesOf } };
  },
});
