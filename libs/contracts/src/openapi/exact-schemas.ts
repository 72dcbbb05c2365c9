import type { z } from 'zod';
import { caseRef, description, email, idText, name, partnerTime, phone, receiptNumber } from '../fields.ts';
import { booleanText, paging } from '../operations/common.ts';
import { anyGrant } from '../resources/grant.ts';
import type { JsonSchema } from './types.ts';

/** The characters that fields.ts refuses, without those above U+FFFF: many validators know no classes of Unicode. */
const unwanted = [
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b',
  '\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb',
].join('');
/** What alone is not seen: joiners, marks of their own, letters and a Braille cell that are drawn as nothing. */
const unseen = '\\u034f\\u115f\\u1160\\u180b-\\u180f\\u200c\\u200d\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0';
const printable = `[^${unwanted}]`;

/** JSON Schema for zod schemas with a transformation or refinement: the values that a caller sends or gets. */
export const exactSchemas: ReadonlyMap<z.ZodType, JsonSchema> = new Map<z.ZodType, JsonSchema>([
  [idText, { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
  [paging.limit, { type: 'integer', minimum: 1, maximum: 100, default: 50 }],
  [booleanText, { type: 'boolean' }],
  [
    anyGrant,
    {
      anyOf: ['LoginCodeGrant', 'RefreshTokenGrant'].map((name) => ({
        $ref: `#/components/schemas/${name}`,
      })),
    },
  ],
  [
    partnerTime,
    {
      type: 'string',
      maxLength: 19,
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$',
      examples: ['2026-11-21 10:00:00'],
    },
  ],
  // RFC 5321: local part of at most 64, then @ and a domain.
  [
    email,
    {
      type: 'string',
      format: 'email',
      maxLength: 254,
      pattern:
        "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9][A-Za-z0-9-]*\\.)+([A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9])$",
    },
  ],
  // 16 digits that begin with 9 can exceed 2^53-1.
  [
    caseRef,
    {
      type: 'string',
      maxLength: 20,
      pattern: '^([1-9][0-9]{0,14}|[1-8][0-9]{15}|FLOW[0-9]{7,15}|FLOW[0-8][0-9]{15})$',
    },
  ],
  [phone, { type: 'string', maxLength: 16, pattern: '^\\+[1-9][0-9]{6,14}$' }],
  [
    name,
    {
      type: 'string',
      minLength: 1,
      maxLength: 120,
      pattern: `^${printable}*[^\\s${unwanted}${unseen}]${printable}*$`,
    },
  ],
  [description, { type: 'string', maxLength: 255, pattern: `^${printable}*$` }],
  [
    receiptNumber,
    { type: 'string', maxLength: 64, pattern: '^[\\s-]*([A-Za-z][\\s-]*){3}([0-9][\\s-]*){10}$' },
  ],
]);
