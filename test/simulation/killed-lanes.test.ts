/** Whole crawls with one to three lanes, more or fewer in every process, that are killed and go on. */
import { tryAgents } from "./agent-trials.ts";

tryAgents({ lanesMax: 3, losesPower: false, schedules: 250, schedulesFull: 7_500 });
