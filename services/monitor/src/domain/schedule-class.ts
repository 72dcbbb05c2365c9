/** `dormant` is slow after 90 days. The order is that of the table in monitor.md. */
export const scheduleClasses = ['new', 'hot', 'normal', 'settling', 'slow', 'dormant', 'stop'] as const;

export type ScheduleClass = (typeof scheduleClasses)[number];
