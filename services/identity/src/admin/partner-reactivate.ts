import { idText } from '@casewatch/contracts';
import { z } from 'zod';
import { command } from './command.ts';
import { setPartnerStatus } from './set-partner-status.ts';

/** Lifts a partner's suspension. */
export const partnerReactivate = command({
  words: 'partner reactivate',
  form: '--partner 1',
  options: z.strictObject({ partner: idText }),
  run: (ctx, { partner }) => setPartnerStatus(ctx, partner, 'active'),
});
