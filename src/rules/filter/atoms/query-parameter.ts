/**
 * Looks for a parameter in a query without taking the query apart: names and values are compared
 * where they stand, and decoded only when they hold an escape.
 */
export function hasParameter(query: string, name: string, value: string | undefined): boolean {
  for (let from = 0; from < query.length; ) {
    const ampersand = query.indexOf("&", from);
    const end = ampersand === -1 ? query.length : ampersand;
    const sign = query.indexOf("=", from);
    const nameEnd = sign === -1 || sign > end ? end : sign;
    const isNamed = isSame(query.slice(from, nameEnd), name);
    if (isNamed && (value === undefined || isSame(query.slice(nameEnd + 1, end), value))) {
      return true;
    }
    from = end + 1;
  }
  return false;
}

function isSame(written: string, wanted: string): boolean {
  if (written === wanted) return true;
  return /[%+]/.test(written) && decoded(written) === wanted;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
