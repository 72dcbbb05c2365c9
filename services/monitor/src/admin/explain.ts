import { receiptNumber } from '@casewatch/contracts';
import {
  defineCommand,
  type ExplainedStep,
  explainedCase,
  explainReport,
  RefusedError,
  UsageError,
} from '@casewatch/platform';
import { z } from 'zod';
import type { SharedContext } from '../context.ts';
import type { Receipt } from '../domain/receipt.ts';

const service = 'monitor';

/** The checks and changes of the receipt of a case; with a receipt number, also the cases that watch it. */
export const explain = defineCommand({
  words: 'explain',
  options: z.strictObject({ case: explainedCase.optional(), receipt: receiptNumber.optional() }),
  form: ['--case 7', '--receipt EAC9999103403'],
  async run({ stores }: SharedContext, { case: caseId, receipt: number }) {
    if ((caseId === undefined) === (number === undefined)) throw new UsageError('Give --case or --receipt.');
    const watch = caseId === undefined ? null : await stores.watches.find(caseId);
    const receipt = await stores.receipts.find(number ?? watch?.receipt_number ?? '');
    if (!receipt) throw new RefusedError('No case watches this receipt.');
    const cases = number === undefined ? [] : await stores.watches.caseIdsOf(number);
    const report = explainReport(stepsOf(receipt));
    return { ...report, json: { cases, steps: report.json } };
  },
});

function stepsOf(receipt: Receipt): ExplainedStep[] {
  const { state, failures, not_found, rejections } = receipt;
  const steps: [Date | null | undefined, string][] = [
    [receipt.state_since, `the receipt is ${state}`],
    [receipt.last_checked, `last check${failures > 0 ? `; ${failures} failures since` : ''}`],
    [not_found?.last_at, `USCIS did not know the receipt (${not_found?.count} times)`],
    [receipt.overdue_since, 'the check is overdue'],
    [receipt.held?.at, 'a change waits for the decision of an operator: release or drop-held'],
    [receipt.returned_at, 'a former state came back: a check after an hour confirms it'],
    [receipt.touched_at, 'USCIS touched the receipt: only its modified date moved'],
    [rejections?.first_at, 'USCIS rejected the receipt: a check after a day confirms it'],
  ];
  const past = receipt.past.map(({ at, observation, kind, skip_reason, status_code }): ExplainedStep => {
    const skipped = skip_reason === null ? '' : `; not notified: ${skip_reason}`;
    return { at, service, text: `observation ${observation}, ${kind}: ${status_code}${skipped}` };
  });
  return [...past, ...steps.flatMap(([at, text]) => (at ? [{ at, service, text }] : []))];
}
