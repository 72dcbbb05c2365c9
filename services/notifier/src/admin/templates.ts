import { RefusedError } from '@casewatch/platform';
import { z } from 'zod';
import { readTemplateStates } from '../clients/template-state.ts';
import { whatsappTemplates } from '../templates/whatsapp-templates.ts';
import { command } from './open-admin.ts';

export const templates = command({
  words: 'templates',
  options: z.strictObject({}),
  form: '',
  async run({ whatsapp }) {
    if (!whatsapp)
      throw new RefusedError(
        'WhatsApp is not set up: set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.',
      );
    const states = await readTemplateStates(whatsapp);
    const rows = states.map((state) => ({
      ...state,
      body: whatsappTemplates[state.template].body[state.language],
    }));
    const lines = rows.flatMap(({ template, language, sid, finding, body }) => [
      `${template} ${language}  ${sid ?? '-'}  ${finding}`,
      `  ${body}`,
    ]);
    return { json: { templates: rows }, lines };
  },
});
