import { z } from 'zod';
import { id } from '../fields.ts';
import { staffRole } from '../principal.ts';
import { staffStatus } from '../resources/staff.ts';

/** No names or addresses: consumers request `identity.staff` (firm.md §8). */
const facts = {
  staff_id: id,
  partner_id: id,
  /** Grows with each change; the highest wins. */
  version: z.int().min(1),
};

/** Invited, accepted or changed. */
export const staffChanged = z.object({ ...facts, role: staffRole, status: staffStatus });

/** Removed or erased. `reassign_to`: the member who gets the cases; null: nobody. */
export const staffDeleted = z.object({ ...facts, reassign_to: id.nullable().default(null) });
