import { z } from 'zod';
import { idText } from '../fields.ts';

/** Every 2xx answer of POST, PUT, DELETE carries these (specification §1). */
export const done = { success: z.literal(true), message: z.string().max(1_000) };

/** Page size and cursor of every list (interface.md §1). */
export const paging = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be an integer from 1 to 100')
    .transform(Number)
    .refine((n) => n >= 1 && n <= 100, 'must be an integer from 1 to 100')
    .default(50),
  cursor: z.string().min(1).max(1_024).optional(),
};

/** Rows that a page has at most (interface.md §1). */
export const maxRows = 100;

/** Of a list that can be searched: a search found more than it can show, and more letters find the others (firm.md §3). */
export const searched = { type_more: z.boolean() };

/** What every list answers beside its array. */
export const page = { has_more: z.boolean(), next_cursor: z.string().max(1_024).nullable() };

export const userPath = z.strictObject({ user_id: idText });

/** `true` or `false` in a query. */
export const booleanText = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A moment in a query: ISO 8601 with a zone; beyond milliseconds it may have more digits. */
export const timeText = z
  .string()
  .max(40)
  .meta({ format: 'date-time' })
  // RFC 3339 §5.6: T and Z may be in lower case.
  .transform((text) => text.toUpperCase())
  .pipe(z.iso.datetime({ offset: true, error: ({ input }) => timeFault(String(input)) }))
  .transform((text) => new Date(text));

/** In a query, a plus sign that is not encoded arrives as a space. */
function timeFault(text: string): string {
  const isPlusLost = /^\S+ \d{2}:?\d{2}$/.test(text);
  return isPlusLost
    ? 'has a space before its offset from UTC; encode the plus sign as %2B'
    : 'must be a time of ISO 8601 with a zone, such as 2026-01-31T09:30:00Z';
}

/** Several values of a filter, separated by commas; each at most 40 characters. */
export const severalTexts = z
  .string()
  .max(20 * 41)
  .transform((text) => text.split(','))
  .refine(
    (values) => values.length <= 20 && values.every((value) => value.length >= 1 && value.length <= 40),
    'must be at most 20 values of 1 to 40 characters, separated by commas',
  );
