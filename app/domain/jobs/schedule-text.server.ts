import cronstrue from "cronstrue";

/** A cron pattern with seconds in words: `0 40 2 * * *` → 'At 02:40'. */
export const scheduleText = (schedule: string): string => cronstrue.toString(schedule, { use24HourTimeFormat: true });
