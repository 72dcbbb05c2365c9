export { type AsyncApiDocument, asyncApiDocument } from './asyncapi/document.ts';
export * from './audit.ts';
export * from './errors.ts';
export * from './events/cases.ts';
export * from './events/envelope.ts';
export * from './events/erasure.ts';
export * from './events/gateway.ts';
export * from './events/notifications.ts';
export * from './events/registry.ts';
export * from './events/revocations.ts';
export * from './events/staff.ts';
export * from './events/status.ts';
export * from './fault-texts.ts';
export * from './fields.ts';
export { openApiDocument } from './openapi/document.ts';
export { problemExample } from './openapi/problem-examples.ts';
export * from './openapi/recorded-examples.ts';
export type {
  JsonSchema,
  MediaType,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from './openapi/types.ts';
export * from './operation.ts';
export * from './operations.ts';
export { maxImportRows } from './operations/imports.ts';
export * from './principal.ts';
export { reader } from './reading/reader.ts';
export * from './reading/wire-contracts.ts';
export { type ReceiptFault, readReceiptNumber } from './receipt-number.ts';
export * from './requests/arrival.ts';
export * from './requests/cases.ts';
export * from './requests/console.ts';
export * from './requests/identity.ts';
export * from './requests/monitor.ts';
export * from './requests/notifier.ts';
export * from './requests/registry.ts';
export * from './requests/revocations.ts';
export * from './requests/state.ts';
export * from './requests/webhooks.ts';
export * from './resources/acknowledgement.ts';
export * from './resources/alerts.ts';
export * from './resources/api-key.ts';
export * from './resources/audit-entry.ts';
export * from './resources/case.ts';
export * from './resources/change.ts';
export * from './resources/import.ts';
export * from './resources/client.ts';
export * from './resources/console-link.ts';
export * from './resources/delivery.ts';
export * from './resources/problem.ts';
export * from './resources/replay-task.ts';
export * from './resources/staff.ts';
export * from './resources/statistics.ts';
export * from './resources/status-update.ts';
export * from './resources/suppression.ts';
export * from './resources/user.ts';
export * from './resources/webhook.ts';
export * from './search-words.ts';
export * from './services.ts';
export * from './statuses/answer-by.ts';
export * from './statuses/detail-message.ts';
export { normaliseFormType } from './statuses/form-type.ts';
export * from './statuses/match-status.ts';
export * from './statuses/respond-by.ts';
export { readServedDate, type ServedDate } from './statuses/served-date.ts';
export * from './statuses/status-table.ts';
export { asksForAnswer, isUrgent, isUrgentMonitoring } from './statuses/urgent.ts';
export * from './local-time.ts';
export * from './times.ts';
export * from './webhook-events/bodies.ts';
export * from './webhook-events/event-types.ts';
export * from './webhook-events/registry.ts';
