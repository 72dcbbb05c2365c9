import { type Check, faultOf, ok, unknown, wrong } from '@casewatch/platform';
import { readTemplateStates } from '../clients/template-state.ts';
import { createTurns } from '../clients/turns.ts';
import type { NotifierConfig } from '../config.ts';
import { mailerOf, snsOf, whatsappOf } from '../context.ts';

/** Connects and signs in; it sends nothing. */
export const smtpCheck: Check<NotifierConfig> = {
  subject: 'SMTP',
  async run(config) {
    const turns = createTurns({ count: 1, onLate: () => undefined });
    const mailer = mailerOf(config, { turns, isUrgent: false });
    try {
      await mailer.verify();
      return [ok('SMTP', 'accepts the connection and the sign-in.')];
    } catch (error) {
      // A reply of the server comes in our words, without a code.
      const isOurs = error instanceof Error && !('code' in error);
      return [wrong('SMTP', `SMTP_URL: ${isOurs ? error.message : faultOf(error)}.`)];
    } finally {
      mailer.close();
    }
  },
};

/** Reads the templates: Twilio accepts the sign-in, and WhatsApp has approved our texts. */
export const twilioCheck: Check<NotifierConfig> = {
  subject: 'Twilio',
  async run(config) {
    const whatsapp = whatsappOf(config);
    if (!whatsapp) return [unknown('Twilio', 'WhatsApp is off: its three settings are not set.')];
    const states = await readTemplateStates(whatsapp).catch((error: unknown) => error);
    if (!Array.isArray(states)) return [wrong('Twilio', twilioFault(states))];
    return (states as Awaited<ReturnType<typeof readTemplateStates>>).map(
      ({ template, language, sid, isReady, finding }) => {
        const text = `template ${template} (${language}): ${finding}.`;
        if (isReady) return ok('Twilio', text);
        return sid === null ? unknown('Twilio', text) : wrong('Twilio', text);
      },
    );
  },
};

function twilioFault(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (/twilio_20003|\b401\b|authenticat|credentials/i.test(text))
    return 'refuses TWILIO_ACCOUNT_SID or TWILIO_AUTH_TOKEN.';
  return `does not answer: ${faultOf(error)}.`;
}

/** Certificates and confirmations come from Amazon SNS. Without a topic there is nothing to try. */
export const sesCheck: Check<NotifierConfig> = {
  subject: 'SES',
  async run(config) {
    const sns = snsOf(config);
    if (!sns) return [];
    try {
      await sns.reach();
      return [ok('SES', 'Amazon SNS answers in the region of MAIL_CALLBACK_SES_TOPIC.')];
    } catch (error) {
      return [wrong('SES', `MAIL_CALLBACK_SES_TOPIC: Amazon SNS of its region: ${faultOf(error)}.`)];
    } finally {
      sns.stop();
    }
  },
};
