import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal } from '../../page.ts';
import { checkbox, field, select } from '../../parts/field.ts';
import { checked, optionalText } from '../../parts/form-values.ts';

/** The form has an empty text where the operation has null. */
export const userForm = z.object({
  email: z.string(),
  name: z.string(),
  phone: optionalText.transform((text) => text ?? null),
  preferred_language: z.enum(['en', 'es', 'pt']).default('en'),
  notify_by_email: checked,
  notify_by_whatsapp: checked,
});

type Values = {
  readonly email: string;
  readonly name: string;
  readonly phone: string | null;
  readonly preferred_language: string;
  readonly notify_by_email: boolean;
  readonly notify_by_whatsapp: boolean;
};

const languages = [
  { value: 'en', text: 'English' },
  { value: 'es', text: 'Spanish' },
  { value: 'pt', text: 'Portuguese' },
];

export function userFields(user: Values | null, refusal: Refusal | null): Markup {
  return html`${field({ name: 'name', label: 'Full name', value: user?.name ?? '', isRequired: true, refusal })}
${field({ name: 'email', label: 'E-mail address', type: 'email', value: user?.email ?? '', isRequired: true, refusal })}
${field({ name: 'phone', label: 'Phone number', type: 'tel', value: user?.phone ?? '', hint: 'With the country code, for example +12025550123. Needed for WhatsApp.', refusal })}
${select({ name: 'preferred_language', label: 'Language of messages', value: user?.preferred_language ?? 'en', choices: languages, refusal })}
${checkbox({ name: 'notify_by_email', label: 'Tell the user by e-mail', isChecked: user?.notify_by_email ?? true, refusal })}
${checkbox({ name: 'notify_by_whatsapp', label: 'Tell the user by WhatsApp; the user has agreed', isChecked: user?.notify_by_whatsapp ?? false, refusal })}`;
}
