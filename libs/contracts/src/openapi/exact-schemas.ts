import type { z } from 'zod';
import { caseRef, description, email, idText, name, partnerTime, phone, receiptNumber } from '../fields.ts';
import { booleanText, paging } from '../operations/common.ts';
import type { JsonSchema } from './types.ts';

/** Control and invisible formatting characters, as fields.ts refuses them. */
const unwanted =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060\\u2066-\\u2069\\ufeff';
const printable = `[^${unwanted}]`;

/**
 * What zod cannot say of a schema with a transformation or a refinement: the values that a caller may send (or gets), not
 * the text that is parsed. A schema of an operation's own says the same by `.meta({ … })`.
 */
export const exactSchemas: ReadonlyMap<z.ZodType, JsonSchema> = new Map<z.ZodType, JsonSchema>([
  [idText, { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
  [paging.limit, { type: 'integer', minimum: 1, maximum: 100, default: 50 }],
  [booleanText, { type: 'boolean' }],
  [
    partnerTime,
    {
      type: 'string',
      maxLength: 19,
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$',
      examples: ['2026-11-21 10:00:00'],
    },
  ],
  // The first group is RFC 5321's limit on the part before the @; then words between dots, @, and a domain of the usual kind.
  [
    email,
    {
      type: 'string',
      format: 'email',
      maxLength: 254,
      pattern:
        "^(?=[^@]{0,63}[A-Za-z0-9_+-]@)[A-Za-z0-9_'+-]+(\\.[A-Za-z0-9_'+-]+)*@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
    },
  ],
  // A number of 16 digits that begins with 9 may be beyond 2^53-1, which is the limit; none is so large.
  [
    caseRef,
    {
      type: 'string',
      maxLength: 20,
      pattern: '^([1-9][0-9]{0,14}|[1-8][0-9]{15}|FLOW[0-9]{7,15}|FLOW[0-8][0-9]{15})$',
    },
  ],
  [phone, { type: 'string', maxLength: 16, pattern: '^\\+[1-9][0-9]{6,14}$' }],
  // Printable characters, one of them not a space.
  [
    name,
    {
      type: 'string',
      minLength: 1,
      maxLength: 120,
      pattern: `^${printable}*[^\\s${unwanted}]${printable}*$`,
    },
  ],
  [description, { type: 'string', maxLength: 255, pattern: `^${printable}*$` }],
  // Three letters and ten digits; spaces and dashes between them are removed.
  [
    receiptNumber,
    { type: 'string', maxLength: 64, pattern: '^[\\s-]*([A-Za-z][\\s-]*){3}([0-9][\\s-]*){10}$' },
  ],
]);
