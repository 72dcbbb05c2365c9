import type { ReplyData } from '@casewatch/contracts';

/** What the services answer. Null: no answer in time, or only that it cannot answer. */
export type SystemState = {
  /** NATS answers the gateway. Otherwise nothing is known of the services. */
  readonly isBusUp: boolean;
  /** Services that answered, but could not read their state. */
  readonly unable: readonly string[];
  /** Freshness, quota and schedule of the checks. */
  readonly checks: ReplyData<'monitor.status'> | null;
  readonly services: {
    readonly identity: ReplyData<'identity.state'> | null;
    readonly cases: ReplyData<'cases.state'> | null;
    readonly monitor: ReplyData<'monitor.state'> | null;
    readonly notifier: ReplyData<'notifier.state'> | null;
    readonly webhooks: ReplyData<'webhooks.state'> | null;
  };
};

export type Checks = NonNullable<SystemState['checks']>;
export type MonitorState = NonNullable<SystemState['services']['monitor']>;
export type NotifierState = NonNullable<SystemState['services']['notifier']>;
export type WebhooksState = NonNullable<SystemState['services']['webhooks']>;

const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** `2.5 h`; a dash where nothing is known. */
export function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  const [size, unit] = units.find(([size]) => seconds >= size) ?? units[3];
  return `${Math.round((seconds * 10) / size) / 10} ${unit}`;
}
