/**
 * The fields of the record that an archive has of a page whose body is kept by another agent: where that is,
 * and what was found in the body.
 */
export const KEPT_FIELDS = { at: "keptAt", page: "page" } as const;
