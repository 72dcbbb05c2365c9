/** The time as a parameter, so that tests and replays can set it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
