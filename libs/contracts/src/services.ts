/** The six services, by their folder names: also their NATS users, and the `source` of their events. */
export const serviceNames = ['gateway', 'identity', 'cases', 'monitor', 'notifier', 'webhooks'] as const;

export type ServiceName = (typeof serviceNames)[number];
