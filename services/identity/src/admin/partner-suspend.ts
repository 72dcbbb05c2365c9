import { idText } from '@casewatch/contracts';
import { z } from 'zod';
import { command } from './command.ts';
import { setPartnerStatus } from './set-partner-status.ts';

/** Suspends a partner: their keys are refused everywhere within 2 s, deliveries to them wait; their users go on. */
export const partnerSuspend = command({
  words: 'partner suspend',
  form: '--partner 1',
  options: z.strictObject({ partner: idText }),
  run: (ctx, { partner }) => setPartnerStatus(ctx, partner, 'suspended'),
});
