/** Tasks that harm their thread. */
import type { Task } from "../seams/index.ts";

const module = import.meta.url;

export const exiting: Task<number, never> = {
  module,
  name: "exiting",
  run: (code) => process.exit(code),
};

export const throwingLater: Task<string, never> = {
  module,
  name: "throwingLater",
  run: (message) => {
    setImmediate(() => {
      throw new RangeError(message);
    });
  },
};

export const rejectingLater: Task<string, never> = {
  module,
  name: "rejectingLater",
  run: (message) => {
    void Promise.reject(new RangeError(message));
  },
};

export const hungry: Task<null, never> = {
  module,
  name: "hungry",
  run: () => {
    const eaten: number[][] = [];
    for (;;) eaten.push(new Array(100_000).fill(eaten.length));
  },
};

/** Keeps its thread busy for ever. */
export const endless: Task<null, never> = {
  module,
  name: "endless",
  run: () => {
    for (;;);
  },
};

/** Answers, and dies afterwards. */
export const dyingIdle: Task<null, string> = {
  module,
  name: "dyingIdle",
  run: (_input, _world, done) => {
    done(null, "answered");
    setImmediate(() => process.exit(3));
  },
};

export const doubled: Task<number, number> = {
  module,
  name: "doubled",
  run: (input, _world, done) => done(null, 2 * input),
};

export const misnamed: Task<number, number> = { ...doubled, name: "notExported" };

export const lost: Task<number, number> = {
  ...doubled,
  module: new URL("./not-there.ts", import.meta.url).href,
};
