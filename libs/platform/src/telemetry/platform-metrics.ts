import { counter, gauge, histogram, type MetricTable, total } from './metric-table.ts';

/** Most requests take some ms; the longest deadline is 10 s. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of every service. Those of the database and the outbox are missing in the gateway, which has none. */
export const platformMetrics = {
  'dependency.up': gauge('Whether the connection to a dependency is up (1) or down (0)', {
    labels: ['dependency'],
  }),
  'clock.time': gauge(
    'The time that the service uses, s since 1970: that of its database, in the gateway of identity. `clock_time - timestamp(clock_time)` compares processes',
    { unit: 's' },
  ),
  'clock.difference': gauge(
    'How far a clock is ahead of the time that the service uses: `wall`, the one of the machine; `source`, the last reading of the database, in the gateway of identity',
    { unit: 's', labels: ['clock'] },
  ),
  'http.server.request.duration.seconds': histogram(
    'Duration of HTTP requests by operation and status; `none`: no operation matched, or the request was refused before one matched; `reads`: several reads of one page',
    {
      unit: 's',
      labels: ['operation', 'http_request_method', 'http_response_status_code'],
      buckets: seconds,
    },
  ),
  'principals.refused': counter(
    'Requests of the gateway whose principal the service refused: clocks that differ by more than 30 s, or another key',
  ),
  'bus.request.duration.seconds': histogram(
    'Duration of requests to other services over NATS; the outcome is `ok` or the code of the error',
    { unit: 's', labels: ['request', 'outcome'], buckets: seconds },
  ),
  'events.outcomes': counter(
    'Tries of events, by consumer and outcome: done, away, not yet, failed, dead, owned',
    {
      labels: ['consumer', 'outcome'],
    },
  ),
  'events.pending': gauge('Events that a consumer has not handled yet', { labels: ['consumer'] }),
  'events.oldest': gauge('Age of the oldest event that this replica has received and not handled, s', {
    labels: ['consumer'],
  }),
  'events.stalled': gauge('Time for which a consumer has had events and no replica has finished one', {
    unit: 's',
    labels: ['consumer'],
  }),
  'events.failed.waiting': gauge(
    'Failed events that are tried again; with 10,000 the consumers stop fetching',
  ),
  'events.dead_letters': gauge('Events that the service could not handle'),
  'outbox.lag': gauge('Age of the oldest event that is not published yet', { unit: 's' }),
  'outbox.refused': gauge('Events that their stream refuses; retried every 5 s'),
  'outbox.stream_gaps': gauge('Messages missing in the middle of a stream that were not republished', {
    labels: ['stream'],
  }),
  'lease.held': gauge('Whether this replica holds a lease (1) or waits for it (0)', { labels: ['lease'] }),
  'db.client.connection.count': gauge('Connections to MongoDB by state: idle, used', {
    labels: ['pool', 'state'],
  }),
  'db.client.connection.pending_requests': gauge('Operations that wait for a connection to MongoDB', {
    labels: ['pool'],
  }),
  'db.client.operation.duration.seconds': histogram(
    'Duration of commands of MongoDB by outcome: ok, failed',
    { unit: 's', labels: ['command', 'outcome'], buckets: seconds },
  ),
  'process.cpu.time.seconds': total('CPU time of the process by mode: user, system', {
    unit: 's',
    labels: ['mode'],
  }),
  'process.memory.usage.bytes': gauge('Memory of the process by area: rss, heap_used, external', {
    unit: 'By',
    labels: ['area'],
  }),
  'nodejs.eventloop.delay.p99.seconds': gauge(
    'Delay of the event loop since the last scrape, 99th percentile',
    { unit: 's' },
  ),
  'nodejs.eventloop.utilization': gauge(
    'Part of the time since the last scrape in which the event loop was busy, 0 to 1',
  ),
} satisfies MetricTable;

/** The metrics of the program that declares the streams. */
export const streamsMetrics = {
  'streams.declared': gauge('Whether every stream and consumer is declared (1) or not (0)'),
} satisfies MetricTable;
