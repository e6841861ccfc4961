/**
 * What is built and tested, and waits for the step of the plan that will use it, each step with its
 * number and title. The dead-code check accepts these names and nothing else; a name that has found
 * its user, or is gone, must leave this list. A folder ends with `/` and stands for everything below
 * it; `FILE NAME` is an export.
 */
export const WAITING: Readonly<Record<string, readonly string[]>> = {
  "10 · What a crawl keeps, and what people take out of it: index, links, queries, exports, library":
    [
      "src/base/database/index.ts SqliteDatabase",
      "src/formats/warc/cdxj.ts cdxjEntry",
      "src/formats/warc/cdxj.ts compareCdxj",
      "src/formats/warc/index.ts cdxjEntry",
      "src/formats/warc/index.ts compareCdxj",
      "src/store/index/catch-up.ts catchUp",
      "src/store/index/index.ts catchUp",
    ],
  "11 · Lanes, continuing, control: one agent that uses the whole machine": [
    "src/topology/threads/index.ts LaneForwarder",
    "src/topology/threads/index.ts LaneReceiver",
    "src/topology/threads/index.ts LaneSender",
  ],
  "13 · The cluster's protocol, under the simulator": ["src/base/transport/", "src/cluster/"],
};
