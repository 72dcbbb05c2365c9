import { knownStatuses } from '@casewatch/contracts';
import { defineCommand } from '@casewatch/platform';
import { z } from 'zod';

/** Rows of the status table whose sentences an immigration lawyer has to read, in the order of the table. */
export const statusesReview = defineCommand({
  words: 'statuses review',
  options: z.strictObject({}),
  form: '',
  async run() {
    const rows = knownStatuses().flatMap(({ code, en: title, needs_legal_review: reason }) =>
      reason === undefined ? [] : [{ code, title, reason }],
    );
    return {
      json: { statuses: rows },
      lines: [
        `${rows.length} of ${knownStatuses().length} statuses need a lawyer's review`,
        ...rows.map(({ code, title, reason }) => `${code} (${title}): ${reason}`),
      ],
    };
  },
});
