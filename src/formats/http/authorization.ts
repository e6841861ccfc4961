/**
 * The value of an `Authorization` header from the content of a user's file or variable: either
 * `user:password`, which is sent by the Basic scheme, or a scheme and its token as they are sent,
 * such as `Bearer abc`. The two cannot be confused: a token contains no colon.
 */

/** `problem` is a clause that follows "its content"; it never repeats the content. */
export type ReadAuthorization =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: string };

const LENGTH_MAX = 4096;
const SCHEME_AND_TOKEN = /^[A-Za-z][A-Za-z0-9-]* +[A-Za-z0-9\-._~+/]+=*$/;

export function readAuthorization(content: string): ReadAuthorization {
  const text = content.replace(/^\uFEFF/, "").trim();
  if (text === "") return { ok: false, problem: "is empty" };
  if (text.length > LENGTH_MAX) {
    return { ok: false, problem: `is longer than ${LENGTH_MAX} characters` };
  }
  if (SCHEME_AND_TOKEN.test(text)) return { ok: true, value: text.replace(/ +/, " ") };
  const colon = text.indexOf(":");
  if (colon === -1 || /[\r\n]/.test(text)) {
    return { ok: false, problem: "is neither user:password nor a scheme and its token" };
  }
  return { ok: true, value: basicAuthorization(text.slice(0, colon), text.slice(colon + 1)) };
}

export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
