import { z } from 'zod';

/** A box that is not checked is not sent. */
export const checked = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on');

/** Values of boxes with one name. */
export const several = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat()));

/** An empty field is left out. */
export const optionalText = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text.trim() === '' ? undefined : text.trim()));

/** `2026-11-23`, from a field of the type date. */
export const optionalDay = z
  .union([z.literal(''), z.iso.date('must be a day, such as 2026-11-23')])
  .optional()
  .transform((day) => day || undefined);
