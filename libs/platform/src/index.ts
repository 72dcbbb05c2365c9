export type { Counter, Histogram, Meter, ObservableGauge } from '@opentelemetry/api';
export { acted, actedFor, draftOf, recordOf } from './audit/acting.ts';
export { createRecordQueue } from './audit/record-queue.ts';
export * from './bus/bus.ts';
export * from './bus/nats-connection.ts';
export * from './bus/people.ts';
export * from './errors.ts';
export type { Delivery, EventHandler, EventHandlers } from './events/handle-event.ts';
export * from './http/accept.ts';
export * from './http/app.ts';
export * from './http/authorise.ts';
export * from './http/body-encoding.ts';
export * from './http/call.ts';
export * from './http/callers/network-of.ts';
export * from './http/callers/principal.ts';
export * from './http/create-app.ts';
export * from './http/csv.ts';
export * from './http/cursor.ts';
export * from './http/exchange.ts';
export * from './http/handler.ts';
export * from './http/json-body.ts';
export * from './http/pages/fault-page.ts';
export { faultTexts } from './http/pages/fault-texts.ts';
export * from './http/pages/html.ts';
export * from './http/pages/page.ts';
export { isSharedRead, maxReads, readsPath, readsReply, type readsRequest } from './http/reads.ts';
export * from './http/request-body.ts';
export * from './http/response.ts';
export * from './http/routes.ts';
export * from './http/security-headers.ts';
export * from './http/send-error.ts';
export * from './http/server.ts';
export * from './http/tls.ts';
export * from './process/base.ts';
export * from './process/connect-once.ts';
export * from './process/explained-step.ts';
export * from './process/foundation.ts';
export * from './process/metrics.ts';
export * from './process/operator-commands.ts';
export * from './process/retry-until-available.ts';
export * from './process/run.ts';
export * from './process/service.ts';
export * from './process/start.ts';
export { keepDeclared, streamsConfig } from './programs/keep-declared.ts';
export * from './programs/nats-users.ts';
export {
  type Check,
  type Finding,
  faultOf,
  ok,
  preflight,
  runPreflight,
  unknown,
  wrong,
} from './programs/preflight.ts';
export * from './secrets/key-ring.ts';
export * from './secrets/secret-box.ts';
export {
  addressSetting,
  httpAddress,
  httpFault,
  mongoServersFault,
  natsFault,
  smtpFault,
} from './settings/addresses.ts';
export * from './settings/config.ts';
export * from './settings/connection-settings.ts';
export * from './settings/setting-rules.ts';
export * from './settings/settings-of.ts';
export * from './settings/tls-settings.ts';
export * from './streams/imported-api.ts';
export * from './streams/keep-streams.ts';
export * from './streams/restore-streams.ts';
export { reasonOf, watchFirstConnection } from './telemetry/first-connection.ts';
export * from './telemetry/logger.ts';
export * from './telemetry/metric-table.ts';
export { platformMetrics, streamsMetrics } from './telemetry/platform-metrics.ts';
export { startTracing } from './telemetry/tracing.ts';
export { tracingSettings } from './telemetry/tracing-settings.ts';
export { readAtScrape } from './telemetry/read-at-scrape.ts';
export { withoutSecrets } from './telemetry/secrets.ts';
export * from './telemetry/security-log.ts';
export { failSpan, inSpan, inTrace } from './telemetry/spans.ts';
export * from './timing/batch.ts';
export * from './timing/clock.ts';
export * from './timing/deadline.ts';
export * from './timing/followed-clock.ts';
export * from './timing/every.ts';
export * from './timing/keyed-mutex.ts';
export * from './timing/pause.ts';
export * from './timing/retry-after.ts';
export * from './timing/time-left.ts';
export * from './timing/wakeable-timer.ts';
export * from './timing/worker.ts';
