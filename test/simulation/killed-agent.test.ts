/** Whole crawls with one lane that are killed, lose power or are stopped, at any moment, and go on. */
import { tryAgents } from "./agent-trials.ts";

tryAgents({ lanesMax: 1, schedules: 150, schedulesFull: 35_000 });
