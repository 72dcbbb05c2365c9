import { htmlLanguage } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { askedFor, signedIn } from '../../support/changing-address.ts';
import type { TestNotifier } from '../../support/notifier.ts';
import { makeUser, type TestPartner } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let notifier: TestNotifier;
let partner: TestPartner;
useIdentity((started) => {
  ({ identity, notifier, partner } = started);
});

describe('the pages of a change', () => {
  it('say for which account it is, in the language of the user, and show no whole address', async () => {
    const users = identity.db.collection('users');
    for (const [language, words, button] of [
      ['en', 'If you did not ask for this, close this page', 'Stop the change'],
      ['es', 'Si usted no lo pidió, cierre esta página', 'Cancelar el cambio'],
      ['pt', 'Se você não pediu isso, feche esta página', 'Cancelar a mudança'],
    ] as const) {
      const client = await makeUser(identity, partner, { preferred_language: language });
      const world = { identity, notifier };
      const who = await signedIn(world, client, partner.as.partner_id);
      const { email, page, prove } = await askedFor(world, who);
      expect(page).toContain(`<html lang="${htmlLanguage[language]}">`);
      expect(page).toContain(button);
      const headers = { accept: '*/*' };
      const link = `/v1/users/verify-email?token=${prove}`;
      const { text } = await identity.call('GET', link, { headers });
      expect(text).toContain(words);
      expect(text).toContain(`p***@example.com`);
      for (const shown of [page, text]) expect(shown).not.toMatch(new RegExp(`${email}|${who.email}`));
      expect((await users.findOne({ _id: who.id as never }))?.email).toBe(who.email);
      const form = { token: prove };
      const done = await identity.call('POST', '/v1/users/verify-email', {
        form,
        headers: { accept: 'text/html' },
      });
      expect([done.status, done.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    }
  });
});
