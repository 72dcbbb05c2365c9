import type { ReplyData } from '@casewatch/contracts';

/** What the services answer. Null: no answer in time. */
export type SystemState = {
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
