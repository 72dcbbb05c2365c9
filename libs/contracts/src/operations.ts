import type { z } from 'zod';
import type { Operation } from './operation.ts';
import { addressLinkOperations } from './operations/address-links.ts';
import { auditOperations } from './operations/audit.ts';
import { authOperations } from './operations/auth.ts';
import { callbackOperations } from './operations/callbacks.ts';
import { caseRecordOperations } from './operations/case-records.ts';
import { caseOperations } from './operations/cases.ts';
import { changeOperations } from './operations/changes.ts';
import { clientOperations } from './operations/client.ts';
import { consoleLinkOperations } from './operations/console-links.ts';
import { exportOperations } from './operations/exports.ts';
import { importOperations } from './operations/imports.ts';
import { keyOperations } from './operations/keys.ts';
import { partnerOverviewOperations } from './operations/partner-overview.ts';
import { serviceOperations } from './operations/service.ts';
import { staffOperations } from './operations/staff.ts';
import { userOperations } from './operations/users.ts';
import { webhookDeliveryOperations } from './operations/webhook-deliveries.ts';
import { webhookEventOperations } from './operations/webhook-events.ts';
import { webhookReplayOperations } from './operations/webhook-replays.ts';
import { webhookOperations } from './operations/webhooks.ts';
import type { Principal } from './principal.ts';

/** The operation table. Adding an operation is one row here and one handler file in the service that it names. */
export const operations = {
  ...authOperations,
  ...userOperations,
  ...addressLinkOperations,
  ...caseOperations,
  ...caseRecordOperations,
  ...changeOperations,
  ...importOperations,
  ...exportOperations,
  ...clientOperations,
  ...partnerOverviewOperations,
  ...keyOperations,
  ...consoleLinkOperations,
  ...staffOperations,
  ...auditOperations,
  ...webhookOperations,
  ...webhookDeliveryOperations,
  ...webhookReplayOperations,
  ...webhookEventOperations,
  ...callbackOperations,
  ...serviceOperations,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** Names of the operations that one service answers. */
export type OperationOf<S extends Operation['service']> = {
  [N in OperationName]: Operations[N]['service'] extends S ? N : never;
}[OperationName];

/** Who calls an operation: of the kinds of caller, those that its row lets in. */
export type CallerOf<N extends OperationName> = Extract<
  Principal,
  { readonly kind: Operations[N]['who'][number] }
>;

type Parsed<N extends OperationName, Part extends 'params' | 'query' | 'body'> = Operations[N] extends {
  readonly [P in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : Record<never, never>;

export type Params<N extends OperationName> = Parsed<N, 'params'>;
export type Query<N extends OperationName> = Parsed<N, 'query'>;
export type Body<N extends OperationName> = Parsed<N, 'body'>;

/** The successful answer's body, as it goes over the wire. */
export type Success<N extends OperationName> = WireBody<Operations[N]['success']> | AnonymousBody<N>;

type WireBody<A extends { readonly body: z.ZodType | null }> = A['body'] extends z.ZodType
  ? z.input<A['body']>
  : null;

type AnonymousBody<N extends OperationName> = Operations[N] extends {
  readonly toAnonymous: { readonly body: infer B extends z.ZodType };
}
  ? z.input<B>
  : never;

/** The rows in matching order: a literal segment goes before a parameter (`/users/verify-email` before `/users/{user_id}`). */
export function routesInOrder(): (Operation & { name: OperationName })[] {
  const rows = (Object.keys(operations) as OperationName[]).map((name) => ({
    ...(operations[name] as Operation),
    name,
  }));
  return rows.sort((a, b) => (sortKey(a.path) < sortKey(b.path) ? -1 : 1));
}

/** `~` sorts after every letter, digit and hyphen, so parameters come last at each level. */
function sortKey(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '~');
}
