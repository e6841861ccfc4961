/**
 * What a generator of page families makes: pages of which it is known which are the same. Two pages
 * of one family have the same main content; they differ in what surrounds it, or by a corrected
 * word. Two pages of one family and one edition differ only in digits, white space, attributes
 * and scripts. Pages of different families have different main content, however alike they look.
 */
export interface FamilyPage {
  readonly family: number;
  readonly edition: number;
  /** Names of what was done to the family's first page, sorted and joined by "+". */
  readonly edit: string;
  /** For pages that were made from another family's: what was done; else "". */
  readonly kinship: string;
  /** The site whose template it has. */
  readonly site: number;
  /** What the page is about to be: an article, a product, … */
  readonly kind: string;
  readonly html: string;
}

/** One of `names`, as likely as its weight says. */
export function draw<Name extends string>(
  unit: number,
  weights: Readonly<Record<Name, number>>,
): Name {
  const names = Object.keys(weights) as Name[];
  let left = unit * names.reduce((sum, name) => sum + weights[name], 0);
  for (const name of names) {
    left -= weights[name];
    if (left < 0) return name;
  }
  return names.at(-1) as Name;
}
