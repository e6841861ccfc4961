/** Tasks that only the background suite runs. Like all tasks they are found by module and name. */
import { CrawlError } from "../../base/errors/index.ts";
import { type Task, whenDone, withValue } from "../../base/seams/index.ts";

/** Gives its input back. */
export const echo: Task<unknown, unknown> = {
  module: import.meta.url,
  name: "echo",
  run: (input, _world, done) => done(null, input),
};

/** Empties the list it was given, and says how long it was. */
export const emptied: Task<number[], number> = {
  module: import.meta.url,
  name: "emptied",
  run: (input, _world, done) => done(null, input.splice(0).length),
};

/** Adds one to every byte; the buffer is moved there and back. */
export const incremented: Task<ArrayBuffer, ArrayBuffer> = {
  module: import.meta.url,
  name: "incremented",
  moves: { input: (input) => [input], output: (output) => [output] },
  run: (input, _world, done) => {
    const bytes = new Uint8Array(input);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = (bytes[index] ?? 0) + 1;
    done(null, input);
  },
};

/** Adds two lines to a file, with time for other tasks to run in between if they could. */
export const twoLines: Task<string, null> = {
  module: import.meta.url,
  name: "twoLines",
  run: (text, world, done) => {
    world.storage.open("lines.log", (openError, file) => {
      if (openError !== null) return done(openError, undefined);
      const append = (line: string, then: () => void) =>
        file.append([Buffer.from(line)], (error) => {
          if (error === null) then();
          else done(error, undefined);
        });
      append(`${text} begins\n`, () =>
        append(`${text} ends\n`, () => file.close(() => done(null, null))),
      );
    });
  },
};

export const refusing: Task<string, never> = {
  module: import.meta.url,
  name: "refusing",
  run: (message, _world, done) =>
    done(new CrawlError("STORAGE_FULL", message, { file: "a", bytes: 7 }), undefined),
};

export const throwing: Task<string, never> = {
  module: import.meta.url,
  name: "throwing",
  run: (message) => {
    throw new TypeError(message);
  },
};

/** Answers with something that cannot be copied. */
export const uncopyable: Task<null, unknown> = {
  module: import.meta.url,
  name: "uncopyable",
  run: (_input, _world, done) => done(null, () => {}),
};

export const stuttering: Task<null, string> = {
  module: import.meta.url,
  name: "stuttering",
  run: (_input, _world, done) => {
    done(null, "first");
    done(null, "second");
  },
};

/** Never answers. */
export const silent: Task<null, never> = {
  module: import.meta.url,
  name: "silent",
  run: () => {},
};

/** Counts in a database, which it leaves open; closes it when told to, and answers with the count. */
export const counted: Task<boolean, number> = {
  module: import.meta.url,
  name: "counted",
  run(isLast, { databases }, done) {
    databases.open(
      "counts.db",
      { tables: {} },
      withValue(done, (database) =>
        database.marks(
          withValue(done, ({ count = 0 }) =>
            database.commit(
              { marks: { count: Number(count) + 1 } },
              whenDone(done, () => {
                const answer = (): void => done(null, Number(count) + 1);
                if (isLast) databases.close("counts.db", whenDone(done, answer));
                else answer();
              }),
            ),
          ),
        ),
      ),
    );
  },
};
