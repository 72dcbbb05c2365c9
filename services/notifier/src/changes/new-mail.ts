import type { Language } from '@casewatch/contracts';
import { rowContext } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { QueuedMail } from '../domain/queued-mail.ts';
import type { MailRow } from '../store/mails.ts';

type NewMail = {
  content: QueuedMail;
  expiresAt: Date;
  user_id?: number | null;
  /** Null: the mail is to no member of staff. */
  staff_id?: number | null;
  partner_id?: number;
  language?: Language | null;
};

/** The row of a mail that is to be sent now. Its content is encrypted. */
export function newMail(
  { box, clock }: Pick<Context, 'box' | 'clock'>,
  { content, expiresAt, user_id = null, staff_id = null, partner_id, language = null }: NewMail,
): Omit<MailRow, 'due_at'> {
  const { message_id: _id, kind } = content;
  return {
    _id,
    kind,
    user_id,
    ...(staff_id !== null && { staff_id }),
    ...(partner_id !== undefined && { partner_id }),
    language,
    sealed: box.seal(JSON.stringify(content), _id),
    status: 'pending',
    attempts: 0,
    last_error: null,
    fence: 0,
    expires_at: expiresAt,
    created_at: clock.now(),
    sent_at: null,
    ...rowContext(),
  };
}
