/**
 * The properties of a `key=value` file as settings. Our own dotted keys come first (`name` is the
 * crawl's name, as everywhere); other names are looked up among BUbiNG's.
 */

import { nearestName } from "../../base/text/index.ts";
import {
  addUnknownKey,
  type ConfigNote,
  type GivenScalar,
  type MistakeList,
  type Schema,
  type SchemaKey,
  type Setting,
  type Shape,
  shapeUnit,
} from "../settings/index.ts";
import { BUBING_WITHOUT_KEY, convertBubingValue, isWarcStore } from "./bubing-names.ts";
import type { Property } from "./properties-source.ts";

/** A file of seeds, and where it was named. */
export interface SeedFile {
  readonly path: string;
  readonly location: GivenScalar["location"];
}

export interface FileSettings {
  readonly settings: readonly Setting[];
  readonly notes: readonly ConfigNote[];
  readonly seedFiles: readonly SeedFile[];
}

export function settingsOfProperties(
  properties: readonly Property[],
  schema: Schema<object>,
  mistakes: MistakeList,
): FileSettings {
  const translation = new Translation(schema, mistakes);
  for (const property of properties) translation.take(property);
  return translation.finish();
}

class Translation {
  readonly #schema: Schema<object>;
  readonly #mistakes: MistakeList;
  readonly #byBubingName: ReadonlyMap<string, SchemaKey>;
  readonly #settings: Setting[] = [];
  readonly #notes: ConfigNote[] = [];
  readonly #seedFiles: SeedFile[] = [];
  /** Items of the lists so far: a list may be given in several lines, and they add up. */
  readonly #gathered = new Map<string, string[]>();
  #proxyHost: Property | null = null;
  #proxyPort: Property | null = null;

  constructor(schema: Schema<object>, mistakes: MistakeList) {
    this.#schema = schema;
    this.#mistakes = mistakes;
    this.#byBubingName = new Map(
      schema.keys.flatMap((one) => one.key.bubing.map((name) => [name, one] as const)),
    );
  }

  take(property: Property): void {
    const own = this.#schema.find(property.name);
    const theirs = this.#byBubingName.get(property.name);
    const reason = reasonToLeaveOut(property);
    if (own !== undefined) this.#add(own, property, property.value);
    else if (property.name === "proxyHost") this.#proxyHost = property;
    else if (property.name === "proxyPort") this.#proxyPort = property;
    else if (reason !== undefined) {
      const text = `BUbiNG's ${property.name} has no counterpart and is left out: ${reason}.`;
      this.#notes.push({ location: property.location, text });
    } else if (theirs !== undefined) this.#translate(theirs, property);
    else this.#addUnknown(property);
  }

  finish(): FileSettings {
    this.#joinProxy();
    this.#noteScope();
    return { settings: this.#settings, notes: this.#notes, seedFiles: this.#seedFiles };
  }

  #translate(target: SchemaKey, property: Property): void {
    const { name, value } = property;
    // BUbiNG's own defaults are written as empty values.
    if (value.text.trim() === "") return;
    const isDuration = shapeUnit(target.key.type.shape) === "ms";
    const text = convertBubingValue(name, value.text, isDuration);
    const files = (value.parts ?? []).filter((part) => part.startsWith("file:"));
    if (files.length === 0 || !isList(target.key.type.shape)) {
      this.#add(target, property, { ...value, text });
    } else if (name === "seed") {
      for (const file of files) {
        this.#seedFiles.push({ path: file.slice("file:".length), location: value.location });
      }
      const parts = (value.parts ?? []).filter((part) => !part.startsWith("file:"));
      if (parts.length > 0) this.#add(target, property, { ...value, parts });
    } else {
      this.#mistakes.add(() => ({
        code: "CONFIG_BAD_VALUE",
        location: value.location,
        key: target.path,
        value: files[0] ?? "",
        problem: "is a file, which is not read here; write out its lines",
      }));
    }
  }

  #add(target: SchemaKey, { location }: Property, value: GivenScalar): void {
    const gathered = this.#gathered.get(target.path);
    if (gathered !== undefined) {
      for (const part of value.parts ?? []) gathered.push(part);
      return;
    }
    if (!isList(target.key.type.shape)) {
      this.#settings.push({ key: target.path, location, value });
      return;
    }
    const parts = [...(value.parts ?? [])];
    this.#gathered.set(target.path, parts);
    this.#settings.push({ key: target.path, location, value: { ...value, parts } });
  }

  #addUnknown({ name, location }: Property): void {
    const names = [...this.#byBubingName.keys(), ...BUBING_WITHOUT_KEY.keys()];
    const nearest = (): string | null => this.#schema.nearest(name) ?? nearestName(name, names);
    addUnknownKey({ path: name, location, nearest }, this.#mistakes);
  }

  #joinProxy(): void {
    const target = this.#byBubingName.get("proxyHost");
    const host = this.#proxyHost?.value.text.trim() ?? "";
    if (target === undefined || this.#proxyHost === null || host === "") return;
    const port = this.#proxyPort?.value.text.trim() ?? "8080";
    const value = { ...this.#proxyHost.value, text: `http://${host}:${port}` };
    this.#add(target, this.#proxyHost, value);
  }

  #noteScope(): void {
    const given = (key: string): Setting | undefined =>
      this.#settings.find((setting) => setting.key === key);
    const filter = given("filters.schedule");
    if (filter === undefined || given("scope") !== undefined) return;
    const text =
      "BUbiNG has no scope, so there scheduleFilter alone decided; write scope=any if it should here.";
    this.#notes.push({ location: filter.location, text });
  }
}

function reasonToLeaveOut({ name, value }: Property): string | undefined {
  if (name === "storeClass" && !isWarcStore(value.text)) {
    return "a store of your own is a module, named in store.kind";
  }
  return BUBING_WITHOUT_KEY.get(name);
}

function isList(shape: Shape): boolean {
  return shape.kind === "list" || (shape.kind === "either" && isList(shape.other));
}
