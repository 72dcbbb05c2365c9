import { z } from 'zod';
import { id, partnerTime } from '../fields.ts';

/**
 * A statement that access to a case at USCIS is authorized. `key_id`: the API key of the partner.
 * `staff_member`: the member of its staff; both null if the person acknowledged. After the erasure of a member only the id stays.
 */
export const acknowledgement = z.strictObject({
  version: z.string().max(40),
  acknowledged_at: partnerTime,
  acknowledged_by: z.enum(['partner', 'user']),
  key_id: id.nullable(),
  staff_member: z.strictObject({ id, name: z.string().max(120) }).nullable(),
  /** The import that said so, and the row of its file. */
  import: z.strictObject({ id, row: z.int().min(1) }).nullable(),
});

export type Acknowledgement = z.infer<typeof acknowledgement>;
