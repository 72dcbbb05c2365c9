import { z } from 'zod';
import { id, isoTime } from '../fields.ts';
import { unknownValues } from '../reading/unknown-values.ts';
import { importCounts } from '../resources/import.ts';

const importEnd = z.enum(['done', 'cancelled']).register(unknownValues, { readAs: 'done' });

/** Nothing changes any more at an import: its counts alone (firm.md §8). A dry run ends too. */
export const importFinished = z.object({
  import_id: id,
  partner_id: id,
  state: importEnd,
  dry_run: z.boolean(),
  ...importCounts,
  created_at: isoTime,
  finished_at: isoTime,
});
