/**
 * What the URLs of NATS servers say: where they are, who the client is to them, and whether it insists on
 * TLS. The client of NATS wants these apart. It drops what stands before an at sign, and the scheme; a
 * password of digits it takes for a port.
 *
 * A client has one login for all servers of a cluster, since it may come to any of them.
 */

export interface NamedServers {
  /** `HOST:PORT`, or a host alone. */
  readonly hosts: readonly string[];
  /** Null where no URL has one. */
  readonly login: ServerLogin | null;
  /** Whether one of the URLs begins with `tls:`. Without it, TLS is used where a server asks for it. */
  readonly isTls: boolean;
}

export type ServerLogin =
  | { readonly user: string; readonly pass: string }
  | { readonly token: string };

/** Of URLs with different logins the first counts; the configuration refuses such. */
export function readServerUrls(urls: readonly string[]): NamedServers {
  const parsed = urls.map((each) => new URL(each));
  const known = parsed.find(({ username }) => username !== "");
  return {
    hosts: parsed.map(({ host }) => host),
    login: known === undefined ? null : loginIn(known),
    isTls: parsed.some(({ protocol }) => protocol === "tls:"),
  };
}

/** As for all clients of NATS: a name without password is a token. */
function loginIn({ username, password }: URL): ServerLogin {
  const user = decoded(username);
  return password === "" ? { token: user } : { user, pass: decoded(password) };
}

/** A percent sign that begins no escape is one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
