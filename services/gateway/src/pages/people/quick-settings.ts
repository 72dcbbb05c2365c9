import { language } from '@casewatch/contracts';
import { z } from 'zod';
import { ownPage } from './own-page.ts';
import { pathOf, personPage } from './person-page.ts';

/** The buttons at the foot of each page. */
export const setLanguage = personPage({
  method: 'POST',
  path: '/settings/language',
  scope: null,
  form: z.object({ language, to: ownPage }),
  async handle(call) {
    await call.ask('update_user', {
      params: pathOf(call),
      body: { preferred_language: call.form.language },
    });
    return { to: call.form.to };
  },
});

/** The button of an account that is switched off. */
export const activateAccount = personPage({
  method: 'POST',
  path: '/settings/activate',
  scope: null,
  async handle(call) {
    await call.ask('update_user', { params: pathOf(call), body: { status: 'active' } });
    return { to: '/cases' };
  },
});
