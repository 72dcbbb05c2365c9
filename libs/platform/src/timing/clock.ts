/** The time, as a parameter: tests and replays give their own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
