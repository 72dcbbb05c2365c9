import type { MetricTable } from './metric-table.ts';

/** Most requests take some ms; the longest deadline is 10 s. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of every service. Those of the database and the outbox are missing in the gateway, which has none. */
export const platformMetrics = {
  'dependency.up': {
    kind: 'gauge',
    labels: ['dependency'],
    description: 'Whether the connection to a dependency holds (1) or not (0)',
  },
  'http.server.request.duration.seconds': {
    kind: 'histogram',
    unit: 's',
    labels: ['operation', 'http_request_method', 'http_response_status_code'],
    buckets: seconds,
    description:
      'Duration of HTTP requests by operation and status; `none` is a path without an operation, or a refusal before it is known',
  },
  'bus.request.duration.seconds': {
    kind: 'histogram',
    unit: 's',
    labels: ['request', 'outcome'],
    buckets: seconds,
    description:
      'Duration of requests to other services over NATS; the outcome is `ok` or the code of the error',
  },
  'events.outcomes': {
    kind: 'counter',
    labels: ['consumer', 'outcome'],
    description: 'Events handled, by consumer and outcome: done, away, not yet, failed, dead',
  },
  'events.pending': {
    kind: 'gauge',
    labels: ['consumer'],
    description: 'Events that a consumer has not handled yet',
  },
  'events.oldest': {
    kind: 'gauge',
    labels: ['consumer'],
    description: 'Age of the oldest event that this replica has received and not handled, s',
  },
  'events.dead_letters': { kind: 'gauge', description: 'Events that the service could not handle' },
  'outbox.lag': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the oldest event that is not published yet',
  },
  'outbox.refused': {
    kind: 'gauge',
    description: 'Events that their stream refuses; they are tried again every 5 s',
  },
  'lease.held': {
    kind: 'gauge',
    labels: ['lease'],
    description: 'Whether this replica holds a lease (1) or waits for it (0)',
  },
  'db.client.connection.count': {
    kind: 'gauge',
    labels: ['state'],
    description: 'Connections to MongoDB by state: idle, used',
  },
  'db.client.connection.pending_requests': {
    kind: 'gauge',
    description: 'Operations that wait for a connection to MongoDB',
  },
  'db.client.operation.duration.seconds': {
    kind: 'histogram',
    unit: 's',
    labels: ['command', 'outcome'],
    buckets: seconds,
    description: 'Duration of commands of MongoDB by outcome: ok, failed',
  },
  'process.cpu.time.seconds': {
    kind: 'total',
    unit: 's',
    labels: ['mode'],
    description: 'CPU time of the process by mode: user, system',
  },
  'process.memory.usage.bytes': {
    kind: 'gauge',
    unit: 'By',
    labels: ['area'],
    description: 'Memory of the process by area: rss, heap_used, external',
  },
  'nodejs.eventloop.delay.p99.seconds': {
    kind: 'gauge',
    unit: 's',
    description: 'Delay of the event loop since the last scrape, 99th percentile',
  },
  'nodejs.eventloop.utilization': {
    kind: 'gauge',
    description: 'Part of the time since the last scrape in which the event loop was busy, 0 to 1',
  },
} as const satisfies MetricTable;
