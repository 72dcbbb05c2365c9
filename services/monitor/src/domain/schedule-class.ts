/** `dormant` is `slow` after 90 days. In the order of monitor.md. */
export const scheduleClasses = ['new', 'hot', 'normal', 'settling', 'slow', 'dormant', 'stop'] as const;

export type ScheduleClass = (typeof scheduleClasses)[number];
