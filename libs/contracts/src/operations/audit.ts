import { z } from 'zod';
import { auditActorKinds, auditObjectKinds } from '../audit.ts';
import { operation } from '../operation.ts';
import { auditEntry } from '../resources/audit-entry.ts';
import { maxRows, page, paging, severalTexts, timeText } from './common.ts';

const withId = auditActorKinds.filter((kind) => kind !== 'operator').join('|');

const actorText = z
  .string()
  .max(32)
  .regex(
    new RegExp(`^((${withId}):[1-9]\\d{0,14}|operator)$`),
    'must be key:<id>, staff:<id>, person:<id>, or operator',
  );

const objectText = z
  .string()
  .max(80)
  .regex(
    new RegExp(`^(${auditObjectKinds.join('|')}):[\\w-]{1,64}$`),
    `must be a kind and an id, such as case:12; kinds: ${auditObjectKinds.join(', ')}`,
  );

/** Who did what (firm.md §2). */
export const auditOperations = {
  list_audit: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/audit',
    summary: 'List who did what',
    note: 'Returns what your API keys, your staff, your users and operators of Casewatch did, newest first, for one year. Records hold no values, only ids. What changes something is recorded together with the change; reads of personal data within a second.',
    who: ['partner'],
    scope: 'audit',
    role: 'owner',
    recorded: 'read',
    query: z.strictObject({
      ...paging,
      since: timeText.optional(),
      until: timeText.optional(),
      actor: actorText.optional(),
      operation: severalTexts.optional(),
      object: objectText.optional(),
    }),
    success: { status: 200, body: z.strictObject({ records: z.array(auditEntry).max(maxRows), ...page }) },
    errors: ['invalid_cursor'],
  }),
};
