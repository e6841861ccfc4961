/** The same where power fails, so that what was not synced may be lost, or be there in part. */
import { tryAgents } from "./agent-trials.ts";

tryAgents({ lanesMax: 1, losesPower: true, schedules: 750, schedulesFull: 17_500 });
