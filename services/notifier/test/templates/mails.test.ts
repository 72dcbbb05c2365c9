import { readFileSync, writeFileSync } from 'node:fs';
import { language } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { factsOf } from '../../src/domain/notification-facts.ts';
import { renderAccountMail } from '../../src/templates/account-mail.ts';
import { renderDigestMail } from '../../src/templates/digest-mail.ts';
import { renderEndpointMail } from '../../src/templates/endpoint-mail.ts';
import type { RenderedMail } from '../../src/templates/layout.ts';
import { renderStatusMail } from '../../src/templates/status-mail.ts';
import { titleIn } from '../../src/templates/update-content.ts';
import { anUpdate, aPartner } from '../support/fixtures.ts';
import { direct, factsInEnglishOnly, now, partnered } from '../support/mail-samples.ts';

const link = 'https://api.casewatch.example/v1/users/verify-email?token=4kq-A_0';

/** Compares a mail with the kept one. GOLDEN=write writes the kept mails again; look at what changed. */
function expectGolden(name: string, mail: RenderedMail): void {
  const file = new URL(`./golden/${name}.txt`, import.meta.url);
  const whole = `Template: ${mail.template}\nSubject: ${mail.subject}\n\n${mail.text}\n${mail.html}`;
  if (process.env.GOLDEN === 'write') writeFileSync(file, whole);
  expect(whole).toBe(readFileSync(file, 'utf8'));
}

const anEndpoint = {
  webhookId: 12,
  host: 'hooks.santos.example',
  description: 'Case manager',
  failingSince: new Date('2026-11-16T09:30:00.000Z'),
  disabledAt: new Date('2026-11-21T09:30:00.000Z'),
  reference: 'https://api.casewatch.example/docs',
};

describe.each(language.options)('mails in %s', (name) => {
  it('tell of an update to the user of a partner', () => {
    const facts = factsOf({ ...anUpdate(12, 12), spanish_source: 'uscis' }, now);
    expectGolden(`status-partner-${name}`, renderStatusMail({ ...partnered, language: name, facts }));
  });

  it('tell a direct user of new details under the same title', () => {
    const event = anUpdate(12, 12, { kind: 'details', changes: ['text'] });
    const facts = factsOf({ ...event, previous_status_code: 'Case Was Approved' }, now);
    expectGolden(`status-details-${name}`, renderStatusMail({ ...direct, language: name, facts }));
  });

  it('tell of a new entry of the history', () => {
    const event = anUpdate(12, 12, { kind: 'details', changes: ['history'] });
    const new_history = [
      {
        date: '2026-11-19',
        status_code: 'We approved your Form I-130, Petition for Alien Relative.',
        status_code_es: 'Aprobamos su Formulario I-130, Petición de Familiar Extranjero.',
        status_code_pt: null,
      },
    ];
    const facts = factsOf({ ...event, previous_status_code: 'Case Was Approved', new_history }, now);
    expectGolden(`status-history-${name}`, renderStatusMail({ ...direct, language: name, facts }));
  });

  it('say what to do, and by when at the latest', () => {
    const asked = { status_description: 'On November 20, 2026, we asked for evidence.', history: [] };
    const facts = factsInEnglishOnly('Request for Initial Evidence Was Sent', {
      ...asked,
      modified_date: '2026-11-20T08:00:00.000Z',
    });
    const mail = renderStatusMail({ ...direct, language: name, facts });
    expectGolden(`status-evidence-${name}`, mail);
    const day = { en: 'February 12, 2027', es: '12 de febrero de 2027', pt: '12 de fevereiro de 2027' }[name];
    expect(mail.text).toContain(day);
    expect(mail.html).toContain(`<strong>${day}</strong>`);
    const undated = renderStatusMail({ ...direct, language: name, facts: { ...facts, answer_by: null } });
    expect(undated.text).not.toContain(day);
  });

  it('tell of several updates, the newest first', () => {
    const seen = (time: string) => ({ ...partnered, observedAt: new Date(time) });
    const [older, newest, oldest] = [
      { ...seen('2026-11-21T15:04:00.000Z'), facts: factsInEnglishOnly('Case Was Approved') },
      {
        ...seen('2026-11-21T15:06:00.000Z'),
        facts: factsInEnglishOnly('Biometrics Appointment Was Scheduled'),
      },
      {
        ...seen('2026-11-21T15:03:00.000Z'),
        facts: { ...factsInEnglishOnly('Zzz'), user_case_id: 'FLOW0000013' },
      },
    ];
    const mail = renderDigestMail({ ...partnered, language: name, items: [older, newest, oldest] });
    expectGolden(`digest-${name}`, mail);
    const places = [newest, older, oldest].map(({ facts }) => mail.text.indexOf(titleIn(facts.title, name)));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it.each([
    { kind: 'login_code', code: '042137', validMinutes: 10, isForStaff: false },
    { kind: 'verify_email', link },
    { kind: 'address_changed', link },
    { kind: 'address_taken' },
    { kind: 'confirm_new_address', link },
    { kind: 'address_change_asked', link },
    { kind: 'staff_invitation', link },
    { kind: 'staff_signed_in', link },
    { kind: 'settings_changed', link, settings: ['reply_to', 'case_url'] },
    { kind: 'confirm_reply_to', link },
    { kind: 'welcome', link },
    { kind: 'verify_reminder', link },
    { kind: 'partner_deletion', endsAt: new Date('2026-12-21T10:00:00Z') },
  ] as const)('about an account: $kind', (mail) => {
    expectGolden(`${mail.kind}-${name}`, renderAccountMail(mail, { language: name, partner: null }));
  });

  it.each([
    { kind: 'verify_email', link },
    { kind: 'address_changed', link },
    { kind: 'staff_invitation', link },
    { kind: 'staff_signed_in', link },
    { kind: 'settings_changed', link, settings: ['reply_to', 'case_url'] },
    { kind: 'confirm_reply_to', link },
    { kind: 'verify_reminder', link },
    { kind: 'partner_deletion', endsAt: new Date('2026-12-21T10:00:00Z') },
  ] as const)('about an account of a partner: $kind', (mail) => {
    const reader = { language: name, partner: aPartner() };
    expectGolden(`${mail.kind}-partner-${name}`, renderAccountMail(mail, reader));
  });

  it.each([
    { change: 'on', codesLeft: 10 },
    { change: 'off', codesLeft: 0 },
    { change: 'reset', codesLeft: 0 },
    { change: 'recovery_code_used', codesLeft: 1 },
    { change: 'recovery_code_used', codesLeft: 0 },
  ] as const)('about a second factor: $change, $codesLeft', ({ change, codesLeft }) => {
    const mail = { kind: 'second_factor_changed', link, change, codesLeft } as const;
    const reader = { language: name, partner: aPartner() };
    expectGolden(`second_factor-${change}-${codesLeft}-${name}`, renderAccountMail(mail, reader));
  });

  it.each([
    { stage: 'half', error: 'timeout' },
    { stage: 'nine_tenths', error: 'http_503' },
    { stage: 'disabled', error: 'tls_error' },
  ] as const)('about a failing endpoint: $stage', (notice) => {
    expectGolden(`endpoint-${notice.stage}-${name}`, renderEndpointMail({ ...anEndpoint, ...notice }, name));
  });

  it('about an endpoint that answered 410', () => {
    const mail = { ...anEndpoint, stage: 'disabled', error: 'http_410' } as const;
    expectGolden(`endpoint-gone-${name}`, renderEndpointMail(mail, name));
  });
});

describe('a status mail', () => {
  it('cannot be turned into something else by the text of a government or a partner', () => {
    const facts = factsOf(
      anUpdate(12, 12, {
        status_code: 'Case <b>Was</b>\r\nBcc: x@example.org',
        status_description: '<script>alert(1)</script>\u202egnihtemos\u0007',
      }),
      now,
    );
    const partner = {
      ...aPartner(),
      name: 'A "quoted" <img> name',
      logo_url: 'http://plain.example/logo.png',
    };
    const mail = renderStatusMail({ ...direct, partner, language: 'en', facts });
    expect(mail.html).not.toMatch(/<script|<b>|<img/);
    expect(mail.html).toContain('A &quot;quoted&quot; &lt;img&gt; name');
    expect(mail.subject).toBe('Update on your case ending in 6789');
    expect(mail.text).toContain('Now: Case <b>Was</b> Bcc: x@example.org\n');
    for (const mark of ['\u0007', '\u202e']) expect(mail.text).not.toContain(mark);
  });
});

describe('the logo in a mail', () => {
  const facts = factsOf(anUpdate(12, 12), now);
  const imageFor = (over: { logo_url?: string | null }) =>
    /<img src="([^"]*)"/.exec(
      renderStatusMail({ ...direct, partner: aPartner(over), language: 'en', facts }).html,
    )?.[1];

  it('is our copy, if there is one', () => {
    expect(imageFor({})).toBe('https://santos.example/logo.png');
    expect(imageFor({ logo_url: null })).toBeUndefined();
  });
});

describe('a mail about a failing endpoint', () => {
  it('shows the description of a partner as one line of text', () => {
    const description = 'Main <b>hook</b>\r\nBcc: x@example.org\u202e';
    const notice = { ...anEndpoint, description, stage: 'half', error: 'error_of_tomorrow' } as const;
    const mail = renderEndpointMail(notice, 'en');
    expect(mail.text).toContain('hooks.santos.example (Main <b>hook</b> Bcc: x@example.org)\n');
    expect(mail.html).not.toContain('<b>');
    expect(mail.text).not.toContain('Last error');
  });
});
