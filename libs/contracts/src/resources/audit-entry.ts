import { z } from 'zod';
import { auditActorKind, auditObjectKind, maxAuditObjects } from '../audit.ts';
import { id, partnerTime } from '../fields.ts';

/** One line of GET /v1/client/audit (firm.md §2). */
export const auditEntry = z.strictObject({
  id: z.string().max(64),
  at: partnerTime,
  /** `id` null: an operator of Casewatch. `name` null: erased, or not shown to the caller. */
  actor: z.strictObject({ kind: auditActorKind, id: id.nullable(), name: z.string().max(400).nullable() }),
  operation: z.string().max(64),
  objects: z.array(z.strictObject({ kind: auditObjectKind, id: z.string().max(64) })).max(maxAuditObjects),
  /** Rows of a list that was read; null for everything else. */
  count: z.int().min(0).nullable(),
  status: z.int(),
  network: z.string().max(64).nullable(),
  request_id: z.string().max(64),
});

export type AuditEntry = z.infer<typeof auditEntry>;
