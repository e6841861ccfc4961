/** Whole crawls with one lane whose processes are killed or stopped, at any moment, and go on. */
import { tryAgents } from "./agent-trials.ts";

tryAgents({ lanesMax: 1, losesPower: false, schedules: 750, schedulesFull: 17_500 });
