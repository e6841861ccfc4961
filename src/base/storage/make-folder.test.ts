import assert from "node:assert/strict";
import type { MakeDirectoryOptions } from "node:fs";
import { test } from "node:test";
import type { DiskCalls } from "./disk-calls.ts";
import { makeFolder } from "./make-folder.ts";

type Answer = (error: Error | null, firstMade?: string) => void;

/** A disk with the folder `/a`, in which other folders are made with this outcome, as Node tells it. */
function disk(codes: (string | null)[]): { calls: Pick<DiskCalls, "mkdir">; made: string[] } {
  const made: string[] = [];
  const mkdir = (path: string, options: MakeDirectoryOptions | Answer, answer?: Answer): void => {
    const isPlain = typeof options === "function";
    const done = (isPlain ? options : answer) as Answer;
    made.push(isPlain ? path : `${path} with all above`);
    const isMissing = isPlain && path !== "/a/b";
    const code = isMissing ? "ENOENT" : (codes.shift() ?? null);
    done(code === null ? null : Object.assign(new Error(code), { code }));
  };
  return { calls: { mkdir: mkdir as DiskCalls["mkdir"] }, made };
}

function outcome(codes: (string | null)[]): { code: string | null; made: string[] } {
  const { calls, made } = disk(codes);
  let code: string | null = "none";
  makeFolder(calls, "/a/b/c", (error) => {
    code = error === null ? null : String(error.code);
  });
  return { code, made };
}

test("a folder that can be made takes one call", () => {
  assert.deepEqual(outcome([null]), { code: null, made: ["/a/b/c with all above"] });
  assert.equal(outcome(["EACCES"]).code, "EACCES");
});

test("a read-only disk is told from a missing folder", () => {
  const { code, made } = outcome(["ENOENT", "EROFS"]);
  assert.equal(code, "EROFS");
  assert.deepEqual(made, ["/a/b/c with all above", "/a/b/c", "/a/b"]);
});

test("if it could be made after all, so are the others, and a reason that stays unclear is told", () => {
  for (const code of [null, "EEXIST"]) {
    assert.equal(outcome(["ENOENT", code, null]).code, null);
    assert.equal(outcome(["ENOENT", code, "ENOENT"]).code, "ENOENT");
  }
});
