/** The time as a parameter, so that tests and replays can set it. */
export type Clock = { now(): Date };

/** The wall clock of this machine. Services use the time of their database instead (followed-clock.ts). */
export const systemClock: Clock = { now: () => new Date() };
