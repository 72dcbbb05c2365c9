import { z } from 'zod';
import { id, isoTime } from './fields.ts';
import { unknownValues } from './reading/unknown-values.ts';

/** Who did something: a key, a member of staff, a person (a user), or an operator of Casewatch (firm.md §2). */
export const auditActorKinds = ['key', 'staff', 'person', 'operator'] as const;

/** What something was done to. `user` is a person whose cases are watched, `staff` a member of the partner. */
export const auditObjectKinds = [
  'user',
  'case',
  'change',
  'webhook',
  'delivery',
  'replay',
  'import',
  'key',
  'console_link',
  'staff',
  'partner',
] as const;

export const auditActorKind = z.enum(auditActorKinds).register(unknownValues, { readAs: 'operator' });
export const auditObjectKind = z.enum(auditObjectKinds);

export const auditObject = z
  .object({ kind: auditObjectKind, id: z.string().min(1).max(64) })
  .register(unknownValues, { leftOut: true });

export const maxAuditObjects = 100;
export const maxAuditRecords = 200;

/**
 * One act, as it travels to identity, which keeps it: ids only, no name and no value of a field. `operation`: of the table, or
 * one of `staffActs`, `open_console`, `page …` (refused), or `admin …` for an operator. `count`: rows of a list that was read. `network`: the /24 or /48 of the
 * caller; null for an operator. `console_session_id`: the console that a key opened.
 */
export const auditRecord = z.object({
  id: z.string().min(1).max(64),
  at: isoTime,
  partner_id: id,
  actor: z.object({
    kind: auditActorKind,
    id: z.string().max(64).nullable(),
    console_session_id: z.string().max(64).nullable(),
  }),
  operation: z.string().min(1).max(64),
  objects: z.array(auditObject).max(maxAuditObjects),
  count: z.int().min(0).nullable(),
  status: z.int().min(100).max(599),
  network: z.string().max(64).nullable(),
  request_id: z.string().max(64),
});

export type AuditObjectKind = z.infer<typeof auditObjectKind>;
export type AuditObject = z.infer<typeof auditObject>;
export type AuditRecord = z.infer<typeof auditRecord>;

/** Event of each service, and the gateway's request. */
export const auditRecords = z.object({ records: z.array(auditRecord).min(1).max(maxAuditRecords) });

/** Acts of members that are no operation of the interface. */
export const staffActs = [
  'sign_in',
  'sign_out',
  /** By Casewatch, when a token of the session came that was replaced long ago: perhaps a stolen one. */
  'end_reused_session',
  'accept_invitation',
  'set_up_second_factor',
  'turn_off_second_factor',
  'use_recovery_code',
  'create_calendar_address',
  'end_calendar_address',
  /** With the link in a mail. */
  'turn_off_alerts',
] as const;
export type StaffAct = (typeof staffActs)[number];
