import { z } from 'zod';

/** `pointer` for a body (JSON Pointer as a URI fragment), `parameter` for the rest. */
export const fault = z.strictObject({
  in: z.enum(['body', 'path', 'query', 'header']),
  pointer: z.string().optional(),
  parameter: z.string().optional(),
  code: z.string(),
  message: z.string(),
});

/** RFC 9457, with `success` and `message` of the specification. */
export const problem = z.strictObject({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  status: z.int(),
  title: z.string(),
  type: z.string(),
  detail: z.string(),
  instance: z.string(),
  request_id: z.string(),
  retryable: z.boolean(),
  errors: z.array(fault),
  /** Only with user_selection_required (interface.md §4). */
  users: z
    .array(z.strictObject({ id: z.int(), name: z.string(), partner_name: z.string().nullable() }))
    .optional(),
});

export type Fault = z.infer<typeof fault>;
export type Problem = z.infer<typeof problem>;
