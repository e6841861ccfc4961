/** Types of values that go into requests: headers of the user, and where credentials are kept. */
import { headerNameProblem, headerValueProblem } from "../../formats/http/index.ts";
import { map, type Pair, record, type ValueType, value } from "../settings/index.ts";
import type { CredentialSource } from "./configuration.ts";
import { credentialHost } from "./network-types.ts";

export function headers(): ValueType<readonly Pair<string>[]> {
  const text = value.text({
    form: "one line of Latin-1",
    examples: ["de, en;q=0.5"],
    lengthMax: 4096,
    check: headerValueProblem,
  });
  return map(text, {
    form: "names and values, such as { Accept-Language: de }",
    examples: ["{ Accept-Language: de }"],
    nameProblem: headerNameProblem,
  });
}

export function credentialSource(): ValueType<CredentialSource> {
  const path = value.text({ form: "a path", examples: ["./secret"], lengthMax: 4096 });
  const variable = value.text({
    form: "a variable of the environment",
    examples: ["SITE_PASSWORD"],
    check: (raw) => (/^[A-Za-z_]\w*$/.test(raw) ? null : "is not the name of a variable"),
  });
  return record<CredentialSource>(
    { host: credentialHost(), file: value.nullable(path), env: value.nullable(variable) },
    {
      form: "{ host: HOST or HOST:PORT, file: PATH } or { host: …, env: VARIABLE }",
      examples: ["{ host: example.org, file: ./secret }"],
      check: ({ file, env }) =>
        (file === null) === (env === null) ? "needs either file or env, and not both" : null,
    },
  );
}
