import { z } from 'zod';
import { id, partnerStatus, userStatus } from '../fields.ts';

/** Ids and facts only: whoever needs a name or an address asks `identity.user` (architecture.md §3). */
const facts = {
  user_id: id,
  partner_id: id.nullable(),
  status: userStatus,
  /** +1 at each change of the user; the highest seen wins. */
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

export const partnerUpdated = z.object({
  partner_id: id,
  status: partnerStatus,
  version: z.int().min(1),
});
