import { z } from 'zod';
import { id, partnerStatus, userStatus } from '../fields.ts';

/** No names or addresses: consumers request `identity.people` (architecture.md §3). */
const facts = {
  user_id: id,
  partner_id: id.nullable(),
  status: userStatus,
  /** Grows with each change; the highest wins. */
  version: z.int().min(1),
};

export const userCreated = z.object(facts);
export const userUpdated = z.object(facts);
export const userEmailVerified = z.object({ ...facts, email_verified_at: z.iso.datetime() });

export const userDeleted = z.object({
  user_id: id,
  partner_id: id.nullable(),
  version: z.int().min(1),
});

/** Erased with all data (firm.md §6). Ids only. */
export const partnerDeleted = z.object({ partner_id: id });

export const partnerUpdated = z.object({
  partner_id: id,
  status: partnerStatus,
  version: z.int().min(1),
});
