import { z } from 'zod';

/** Headers as a person types them: `Name: value` on each line. Undefined without a line. */
export const headerLines = z
  .string()
  .default('')
  .transform((text) => text.split('\n').filter((line) => line.trim() !== ''))
  .refine((lines) => lines.every((line) => /^[^:]+:/.test(line)), 'Write each header as `Name: value`.')
  .transform((lines) => (lines.length === 0 ? undefined : Object.fromEntries(lines.map(headerOf))));

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
