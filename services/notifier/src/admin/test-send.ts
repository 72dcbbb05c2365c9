import { email as emailAddress, language } from '@casewatch/contracts';
import { RefusedError } from '@casewatch/platform';
import { z } from 'zod';
import { accountMessageId } from '../domain/message-id.ts';
import type { Outcome } from '../domain/outcome.ts';
import { renderStatusMail } from '../templates/status-mail.ts';
import { type AdminContext, command } from './open-admin.ts';
import { oneAddress } from './suppress.ts';

const title = { en: 'Case Was Received', es: 'Caso Fue Recibido', pt: 'Caso recebido' };
const lastFour = '0000';
const test = { en: 'Test', es: 'Prueba', pt: 'Teste' };

/** Sends a test message now, whatever is suppressed, and says what the provider answered. */
export const testSend = command({
  words: 'test-send',
  options: z.strictObject({
    email: emailAddress.optional(),
    phone: z.string().optional(),
    language: language.default('en'),
  }),
  form: '--email a@example.org | --phone +12025550123 [--language en|es|pt]',
  async run(admin, { language: name, ...named }) {
    const { channel, text } = oneAddress(named);
    const outcome =
      channel === 'email' ? await sendMail(admin, text, name) : await sendWhatsapp(admin, text, name);
    if (outcome.kind !== 'accepted')
      throw new RefusedError(`Not accepted (${outcome.kind}): ${outcome.said ?? outcome.error}`);
    return { json: { channel, outcome: outcome.kind }, lines: ['The provider accepted the message.'] };
  },
});

type Name = z.output<typeof language>;

async function sendMail(
  { config, clock, statusMailer }: AdminContext,
  to: string,
  name: Name,
): Promise<Outcome> {
  const { template: _template, ...mail } = renderStatusMail({
    language: name,
    partner: null,
    unsubscribe: `${config.PUBLIC_URL}/v1/unsubscribe?token=test`,
    link: null,
    observedAt: clock.now(),
    facts: {
      kind: 'status',
      user_case_id: 'TEST',
      receipt_masked: `…${lastFour}`,
      title,
      text: { en: 'This is a test of the mail server.', es: null, pt: null },
      previous_title: null,
    },
  });
  const messageId = accountMessageId(`${to} ${clock.now().getTime()}`, 'test', config.MAIL_FROM);
  const subject = `${test[name]}: ${mail.subject}`;
  return await statusMailer.send({ ...mail, subject, to, replyTo: null, messageId, headers: {} });
}

async function sendWhatsapp({ config, whatsapp }: AdminContext, phone: string, name: Name): Promise<Outcome> {
  const contentSid = whatsapp?.contentSid('status_update', name) ?? null;
  if (!whatsapp || contentSid === null) throw new RefusedError('There is no template in this language.');
  return await whatsapp.send({
    phone,
    contentSid,
    variables: { 1: title[name], 2: lastFour },
    statusCallback: `${config.PUBLIC_URL}/v1/callbacks/twilio?n=test&a=1`,
  });
}
