/** The same with one to three lanes, more or fewer in every process. */
import { tryAgents } from "./agent-trials.ts";

tryAgents({ lanesMax: 3, schedules: 40, schedulesFull: 15_000 });
