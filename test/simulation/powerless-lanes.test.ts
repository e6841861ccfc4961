/** The same where power fails. */
import { tryAgents } from "./agent-trials.ts";

tryAgents({ lanesMax: 3, losesPower: true, schedules: 250, schedulesFull: 7_500 });
