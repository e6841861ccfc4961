/** The lock file, which `npm ci` takes literally on every platform. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

test("the lock file names no download addresses", () => {
  assert.ok(Object.keys(packages).length > 50, "too few packages seen");
  const addresses = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
  assert.deepEqual(addresses, []);
});

test("a package for other platforms is in the lock file too, since npm ci wants all of them", () => {
  const optional = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name })),
  );
  assert.ok(optional.length > 10, "too few optional packages seen");
  const missing = optional.filter(
    ({ path, name }) =>
      !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
  );
  assert.deepEqual(missing, []);
});
