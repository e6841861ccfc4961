/**
 * Schemas of what the API takes and gives: the part of JSON Schema that its description uses. The same
 * schema checks a request and describes it, so the two cannot differ.
 */

type TypeName = "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";

export interface Schema {
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Of keys that are not named; false refuses them. */
  readonly additionalProperties?: false | Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
}

/** An object of exactly these keys; those that `optional` names may be left out. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

export function list(items: Schema, limits: Pick<Schema, "minItems" | "maxItems"> = {}): Schema {
  return { type: "array", items, ...limits };
}

/** Values by names that are not fixed. */
export function table(values: Schema, description?: string): Schema {
  const said = description === undefined ? {} : { description };
  return { type: "object", additionalProperties: values, ...said };
}

export function text(description?: string, limits: Omit<Schema, "type"> = {}): Schema {
  return { type: "string", ...(description === undefined ? {} : { description }), ...limits };
}

export function choice(...values: readonly string[]): Schema {
  return { type: "string", enum: values };
}

export const COUNT: Schema = { type: "integer", minimum: 0 };
export const NUMBER: Schema = { type: "number" };
export const FLAG: Schema = { type: "boolean" };

/** The same schema for null too. */
export function nullable(schema: Schema): Schema {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  return { ...schema, type: [...types, "null"], ...values };
}

/** More are not told. */
const PROBLEMS_MAX = 20;

/** What is wrong with a value, each as a clause; nothing if it has the form. */
export function problemsOf(schema: Schema, value: unknown, at = "the body"): readonly string[] {
  const problems: string[] = [];
  check(schema, value, at, problems);
  return problems.slice(0, PROBLEMS_MAX);
}

function check(schema: Schema, value: unknown, at: string, problems: string[]): void {
  if (problems.length >= PROBLEMS_MAX) return;
  if (schema.anyOf !== undefined) {
    problems.push(...problemsOfForms(schema.anyOf, value, at));
    return;
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    problems.push(`${at} must be ${types.map(named).join(" or ")}`);
    return;
  }
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value)) {
    problems.push(`${at} must be one of ${schema.enum.join(", ")}`);
    return;
  }
  if (typeof value === "string") checkText(schema, value, at, problems);
  else if (typeof value === "number") checkNumber(schema, value, at, problems);
  else if (Array.isArray(value)) checkList(schema, value, at, problems);
  else if (typeof value === "object" && value !== null) checkObject(schema, value, at, problems);
}

/** By the form that is meant: the one that a choice in the value names, else the nearest. */
function problemsOfForms(forms: readonly Schema[], value: unknown, at: string): readonly string[] {
  const name = choiceOf(forms);
  const chosen = name === null ? undefined : (value as Record<string, unknown> | null)?.[name];
  const choices = (form: Schema) => form.properties?.[name ?? ""]?.enum ?? [];
  const meant = forms.filter((form) => choices(form).some((one) => one === chosen));
  if (name !== null && chosen !== undefined && meant.length === 0) {
    return [`${at}.${name} must be one of ${forms.flatMap(choices).join(", ")}`];
  }
  const tries = (meant.length === 0 ? forms : meant).map((one) => problemsOf(one, value, at));
  const [first = []] = tries.toSorted((one, other) => one.length - other.length);
  return first;
}

/** The property by which forms differ: a choice in each of them. Null if there is none. */
function choiceOf([first, ...more]: readonly Schema[]): string | null {
  const names = Object.entries(first?.properties ?? {}).flatMap(([name, { enum: values }]) =>
    values === undefined ? [] : [name],
  );
  const isCommon = (name: string) =>
    more.every(({ properties }) => properties?.[name]?.enum !== undefined);
  return names.find(isCommon) ?? null;
}

function checkText(schema: Schema, value: string, at: string, problems: string[]): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (value.length < minLength) problems.push(`${at} is too short`);
  if (value.length > maxLength) problems.push(`${at} is longer than ${maxLength} characters`);
  else if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    problems.push(`${at} has not the form ${pattern}`);
  }
}

function checkNumber(schema: Schema, value: number, at: string, problems: string[]): void {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value < minimum) problems.push(`${at} must be at least ${minimum}`);
  if (value > maximum) problems.push(`${at} must be at most ${maximum}`);
}

function checkList(
  schema: Schema,
  value: readonly unknown[],
  at: string,
  problems: string[],
): void {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length < minItems) problems.push(`${at} needs at least ${minItems}`);
  if (value.length > maxItems) problems.push(`${at} has more than ${maxItems}`);
  else if (items !== undefined) {
    for (const [index, one] of value.entries()) check(items, one, `${at}[${index}]`, problems);
  }
}

function checkObject(schema: Schema, value: object, at: string, problems: string[]): void {
  const { properties = {}, required = [], additionalProperties, maxProperties } = schema;
  const entries = Object.entries(value);
  for (const name of required) {
    if (!Object.hasOwn(value, name)) problems.push(`${at} lacks ${name}`);
  }
  if (maxProperties !== undefined && entries.length > maxProperties) {
    problems.push(`${at} has more than ${maxProperties} keys`);
    return;
  }
  for (const [name, one] of entries) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (known === false) problems.push(`${at} has no ${JSON.stringify(name.slice(0, 80))}`);
    else if (known !== undefined) check(known, one, `${at}.${name.slice(0, 80)}`, problems);
  }
}

function isOf(type: TypeName, value: unknown): boolean {
  switch (type) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

const NAMES: Readonly<Record<TypeName, string>> = {
  ...{ object: "an object", array: "a list", string: "a text", integer: "a whole number" },
  ...{ number: "a number", boolean: "true or false", null: "null" },
};

function named(type: TypeName): string {
  return NAMES[type];
}
