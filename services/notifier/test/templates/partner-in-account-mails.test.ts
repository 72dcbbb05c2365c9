import { language } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { type AccountMail, renderAccountMail } from '../../src/templates/account-mail.ts';
import { accountMailTexts } from '../../src/templates/account-mail-texts.ts';
import { mailPreviews } from '../../src/templates/previews.ts';
import { renderStatusMail } from '../../src/templates/status-mail.ts';
import { aPartner } from '../support/fixtures.ts';
import { direct, factsInEnglishOnly, visibleText } from '../support/mail-samples.ts';

const link = 'https://api.casewatch.example/v1/users/verify-email?token=4kq-A_0';
const mails: AccountMail[] = [
  { kind: 'login_code', code: '042137', validMinutes: 10, isForStaff: false },
  { kind: 'verify_email', link },
  { kind: 'address_changed', link },
  { kind: 'address_taken' },
  { kind: 'confirm_new_address', link },
  { kind: 'address_change_asked', link },
  { kind: 'staff_invitation', link },
  { kind: 'staff_signed_in', link },
  { kind: 'settings_changed', link, settings: ['reply_to', 'case_url'] },
  { kind: 'second_factor_changed', link, change: 'recovery_code_used', codesLeft: 9 },
  { kind: 'confirm_reply_to', link },
  { kind: 'welcome', link },
  { kind: 'verify_reminder', link },
  { kind: 'partner_deletion', endsAt: new Date('2026-12-21T10:00:00Z') },
];
const [codeMail, verifyMail] = mails as [AccountMail, AccountMail];

describe.each(language.options)('an account mail in %s', (name) => {
  it.each(mails)('to the client of a partner has its name, its logo and the reason: $kind', (mail) => {
    const { fromName, html, text } = renderAccountMail(mail, { language: name, partner: aPartner() });
    expect(fromName).toBe('Santos & Partners');
    expect(html.indexOf('Santos &amp; Partners')).toBeLessThan(html.indexOf('<h1'));
    expect(html).toContain('<img src="https://santos.example/logo.png"');
    const why = {
      en: 'You get this e-mail because',
      es: 'Recibe este correo porque',
      pt: 'Você recebe este e-mail porque',
    };
    for (const part of [html, text]) expect(part).toContain(why[name]);
    expect(text.split('-- ')[1]).toContain('Santos & Partners');
  });

  it.each(mails)('to a person without a partner is ours: $kind', (mail) => {
    const { fromName, html, text } = renderAccountMail(mail, { language: name, partner: null });
    expect([fromName, html.includes('<img')]).toEqual([null, false]);
    expect(html.slice(0, html.indexOf('<h1'))).toContain('Casewatch</td>');
    expect(text).not.toMatch(/because|porque .* usa/);
  });

  it('that confirms the address of a client names the partner in its heading and its first sentence', () => {
    const { html, text, subject } = renderAccountMail(verifyMail, { language: name, partner: aPartner() });
    expect(/<h1[^>]*>(.*)<\/h1>/.exec(html)?.[1]).toContain('Santos &amp; Partners');
    expect(text.startsWith('Santos & Partners ')).toBe(true);
    expect(subject).toBe(renderAccountMail(verifyMail, { language: name, partner: null }).subject);
    expect(text.split('\n')).toContain(link);
  });

  it('that confirms the address of a client is true where a partner writes to unconfirmed addresses, too', () => {
    const { text } = renderAccountMail(verifyMail, { language: name, partner: aPartner() });
    expect(text).not.toMatch(/without your confirmation|sin su confirmación|sem a sua confirmação/i);
    expect(text).not.toMatch(/to get them|para recibirlas|para receber/i);
  });

  it('that has a code for the console does not call its reader a client', () => {
    const [client, member] = [false, true].map((isForStaff) =>
      renderAccountMail(
        { kind: 'login_code', code: '042137', validMinutes: 10, isForStaff },
        { language: name, partner: aPartner() },
      ),
    );
    const { ofPartner } = accountMailTexts[name];
    const [asClient, asStaff] = [ofPartner.why('Santos & Partners'), ofPartner.whyStaff('Santos & Partners')];
    expect(client?.text).toContain(asClient);
    expect(member?.text).not.toContain(asClient);
    expect(member?.text).toContain(asStaff);
  });
});

describe('the previews of a partner', () => {
  // A welcome goes to an address of nobody.
  const ofPartner = mails.filter(({ kind }) => kind !== 'welcome');

  it.each(ofPartner)('have the mail $kind', (mail) => {
    const partner = aPartner();
    const { subject } = renderAccountMail(mail, { language: 'en', partner });
    const shown = mailPreviews({ language: 'en', partner, publicUrl: 'https://api.casewatch.example' });
    const isCalled = (mail.kind === 'second_factor_changed' ? 'second-factor' : mail.kind).replaceAll(
      '_',
      '-',
    );
    expect(shown.map(({ name }) => name)).toContain(isCalled);
    if (mail.kind !== 'second_factor_changed' && mail.kind !== 'login_code')
      expect(shown.find(({ name }) => name === isCalled)?.subject).toBe(subject);
  });
});

describe('what a partner is called', () => {
  const facts = factsInEnglishOnly('Case Was Approved');
  /** In the first mail, and in a mail about a case. */
  const both = (over: Parameters<typeof aPartner>[0]) => [
    renderAccountMail(verifyMail, { language: 'en', partner: aPartner(over) }),
    renderStatusMail({ ...direct, language: 'en', facts, partner: aPartner(over) }),
  ];

  it.each([
    ['line breaks', 'Santos\r\nBcc: x@example.org\n\nHello', 'Santos Bcc: x@example.org Hello'],
    ['line separators', 'Santos\u2028Bcc: x\u2029y', 'Santos Bcc: x y'],
    ['control characters', 'San\u0000tos\u0007 \u001b[31mred', 'San tos [31mred'],
    ['marks of direction', '\u202eSantos\u2066 & \u200fPartners\u061c', 'Santos & Partners'],
    ['half of a character', 'Santos \ud83d', 'Santos \ufffd'],
  ])('cannot have %s', (_what, name, clean) => {
    for (const mail of both({ name })) {
      expect(mail.fromName).toBe(clean);
      expect(mail.text).toContain(clean);
    }
  });

  it('is text, not markup', () => {
    for (const { html } of both({ name: '"><img src=x> & <b>Co</b>', logo_url: null }))
      expect(html).not.toMatch(/<img|<b>/);
  });

  it('may have a hundred characters, and is cut where it is longer than 120', () => {
    const hundred = 'Law Offices of Santos and Partners, '.repeat(3).slice(0, 100);
    for (const mail of both({ name: hundred })) expect(mail.fromName).toBe(hundred.trim());
    for (const mail of both({ name: 'x'.repeat(200) })) expect(mail.fromName).toBe(`${'x'.repeat(119)}…`);
  });

  it.each(['משרד עורכי דין', 'مكتب المحاماة'])(
    'from right to left does not turn the words around it: %s',
    (name) => {
      for (const mail of both({ name })) {
        expect(mail.fromName).toBe(name);
        for (const part of [mail.html, mail.text]) expect(part).toContain(`\u2068${name}\u2069`);
        expect(visibleText(mail).split('\u2068').length).toBe(visibleText(mail).split('\u2069').length);
      }
    },
  );

  it.each(['', '   ', '\u202e\u0000'])('nothing (%j): then the mail is ours', (name) => {
    for (const mail of both({ name })) {
      expect(mail.fromName).toBeNull();
      expect(mail.html).toContain('Casewatch</td>');
      expect(mail.html).not.toContain('<img');
    }
  });
});

describe('the logo of a partner', () => {
  it.each([
    ['is shown', {}, 'https://santos.example/logo.png'],
    ['is left out where there is none', { logo_url: null }, undefined],
    ['is left out without TLS', { logo_url: 'http://santos.example/logo.png' }, undefined],
  ])('%s', (_what, over, shown) => {
    const { html } = renderAccountMail(verifyMail, { language: 'es', partner: aPartner(over) });
    expect(/<img src="([^"]*)"/.exec(html)?.[1]).toBe(shown);
    expect(html).toContain('Santos &amp; Partners');
  });
});

describe('a mail with a code', () => {
  const render = (over: Parameters<typeof aPartner>[0]) =>
    renderAccountMail(codeMail, { language: 'en', partner: aPartner(over) });

  it.each([
    ['the telephone number of the partner', { support_contact: '+1 2025550123' }, 'Santos & Partners'],
    ['a file name of its logo', { logo_url: 'https://santos.example/20240131.png' }, 'Santos & Partners'],
    [
      'a token in the address of its logo',
      { logo_url: 'https://santos.example/?token=1' },
      'Santos & Partners',
    ],
    ['its name', { name: 'Law 123456' }, null],
  ])('has no other number that looks like a code: %s', (_what, over, fromName) => {
    const mail = render(over);
    for (const part of [mail.text, mail.html]) {
      expect(part.match(/\d{6}/g)).toEqual(['042137']);
      expect(part).not.toContain('token=');
    }
    expect(mail.fromName).toBe(fromName);
  });
});
