import type { Language } from '@casewatch/contracts';
import {
  type AccountMail,
  renderAccountMail,
} from '../../../../services/notifier/src/templates/account-mail.ts';
import { renderDigestMail } from '../../../../services/notifier/src/templates/digest-mail.ts';
import { renderEndpointMail } from '../../../../services/notifier/src/templates/endpoint-mail.ts';
import { renderMemberDigest } from '../../../../services/notifier/src/templates/member-digest.ts';
import { renderMemberMail } from '../../../../services/notifier/src/templates/member-mail.ts';
import {
  approved,
  denied,
  digestSample,
  evidence,
  memberItems,
} from '../../../../services/notifier/src/templates/previews.ts';
import { renderStatusMail } from '../../../../services/notifier/src/templates/status-mail.ts';
import type { Sample } from './sample.ts';

const unsubscribe = 'https://api.casewatch.example/v1/unsubscribe?token=12.email.4kq-A_0';
const partner = { name: 'Santos & Partners', logo_url: null, support_contact: 'help@santos.example' };
const link = 'https://santos.example/cases/FLOW0000012';
const ofPartner = { partner, unsubscribe, link };
const direct = { partner: null, unsubscribe, link: 'https://app.casewatch.example/cases' };
const seen = (time: string) => new Date(`2026-11-21T${time}:00.000Z`);

const newEmail = 'https://api.casewatch.example/v1/users/verify-email?token=6fNq0R2m.hT5s-A_0kXw';
const undo = 'https://api.casewatch.example/v1/users/undo-email-change?token=6fNq0R2m.hT5s-A_0kXw';
const invitation = 'https://api.casewatch.example/console/invitation?token=6fNq0R2m.hT5s-A_0kXw';
const welcome = 'https://api.casewatch.example/welcome?token=6fNq0R2m.hT5s-A_0kXw&language=pt';
const replyTo = 'https://api.casewatch.example/console/reply-to?token=6fNq0R2m.hT5s-A_0kXw';
const settings = 'https://api.casewatch.example/console/settings';
const changes = 'https://api.casewatch.example/console/changes';
const alertsOff = 'https://api.casewatch.example/console/alerts?token=7.4kq-A_0';
const ofMember = { partner, settingsLink: settings, offLink: alertsOff };
const endpoint = {
  webhookId: 12,
  host: 'hooks.santos.example',
  description: 'Case manager',
  failingSince: new Date('2026-11-16T09:30:00.000Z'),
  disabledAt: new Date('2026-11-21T09:30:00.000Z'),
  reference: 'https://api.casewatch.example/docs',
};

export const mailSamples: readonly Sample[] = [
  sample('status-approved', 'en', 'A status changed; the user of a partner.', (language) =>
    renderStatusMail({ ...ofPartner, language, facts: approved, observedAt: seen('15:04') }),
  ),
  sample('status-evidence', 'es', 'USCIS asks for evidence; a direct user.', (language) =>
    renderStatusMail({ ...direct, language, facts: evidence, observedAt: seen('15:04') }),
  ),
  sample('status-denied', 'pt', 'USCIS denied a case.', (language) =>
    renderStatusMail({ ...ofPartner, language, facts: denied, observedAt: seen('15:04') }),
  ),
  sample('digest', 'es', 'Several updates of one user within two minutes.', (language) =>
    renderDigestMail({
      ...ofPartner,
      language,
      items: [
        { facts: approved, observedAt: seen('15:04'), link },
        { facts: evidence, observedAt: seen('15:05'), link },
      ],
    }),
  ),
  account('login-code', 'en', 'Sign-in.', {
    kind: 'login_code',
    code: '042137',
    validMinutes: 10,
    isForStaff: false,
  }),
  account('verify-email', 'pt', 'A new user.', { kind: 'verify_email', link: newEmail }),
  sample('verify-email-of-partner', 'es', 'A new user of a partner: its first mail.', (language) =>
    renderAccountMail({ kind: 'verify_email', link: newEmail }, { language, partner }),
  ),
  account('address-changed', 'es', 'To the old address after a change.', {
    kind: 'address_changed',
    link: undo,
  }),
  account('address-taken', 'en', 'Sign-up with an address that has an account.', { kind: 'address_taken' }),
  account('confirm-new-address', 'es', 'To the new address of a requested change.', {
    kind: 'confirm_new_address',
    link: newEmail,
  }),
  account('address-change-asked', 'pt', 'To the current address, before a change.', {
    kind: 'address_change_asked',
    link: undo,
  }),
  sample('member', 'en', 'To a member of a firm: what changed, and by when to answer.', (language) =>
    renderMemberMail({
      ...ofMember,
      language,
      items: memberItems(changes),
      more: { count: 3, link: changes },
    }),
  ),
  sample('member-digest', 'pt', 'To a member of a firm, once a day: what is open.', (language) =>
    renderMemberDigest({ ...ofMember, language, ...digestSample(changes) }),
  ),
  sample('staff-invitation', 'es', 'To a new member of the staff of a partner.', (language) =>
    renderAccountMail({ kind: 'staff_invitation', link: invitation }, { language, partner }),
  ),
  sample('staff-signed-in', 'pt', 'To a member who signed in from a new network or browser.', (language) =>
    renderAccountMail({ kind: 'staff_signed_in', link: settings }, { language, partner }),
  ),
  sample('settings-changed', 'en', 'To the owners of a partner.', (language) =>
    renderAccountMail(
      { kind: 'settings_changed', link: settings, settings: ['reply_to', 'case_url'] },
      { language, partner },
    ),
  ),
  sample('second-factor', 'es', 'To a member whose second factor is on.', (language) =>
    renderAccountMail(
      { kind: 'second_factor_changed', link: settings, change: 'on', codesLeft: 10 },
      { language, partner },
    ),
  ),
  account('welcome', 'pt', 'To an address without an account that was typed on the front page.', {
    kind: 'welcome',
    link: welcome,
  }),
  sample('verify-reminder', 'es', 'To a client who has not confirmed the address.', (language) =>
    renderAccountMail({ kind: 'verify_reminder', link: newEmail }, { language, partner }),
  ),
  sample('confirm-reply-to', 'en', 'To a new reply-to address of a partner.', (language) =>
    renderAccountMail({ kind: 'confirm_reply_to', link: replyTo }, { language, partner }),
  ),
  sample('partner-deletion', 'es', 'To the owners of a partner that is deleted.', (language) =>
    renderAccountMail(
      { kind: 'partner_deletion', endsAt: new Date('2026-12-21T10:00:00Z') },
      { language, partner },
    ),
  ),
  sample('endpoint-failing', 'en', 'To a partner: an endpoint fails.', (language) =>
    renderEndpointMail({ ...endpoint, stage: 'half', error: 'timeout' }, language),
  ),
  sample('endpoint-disabled', 'pt', 'To a partner: an endpoint is disabled.', (language) =>
    renderEndpointMail({ ...endpoint, stage: 'disabled', error: 'http_503' }, language),
  ),
];

function sample(
  name: string,
  language: Language,
  purpose: string,
  render: (language: Language) => { html: string },
): Sample {
  return { name: `mail-${name}`, purpose, language, html: (shown) => render(shown).html };
}

function account(name: string, language: Language, purpose: string, mail: AccountMail): Sample {
  const render = (shown: Language) => renderAccountMail(mail, { language: shown, partner: null });
  return sample(name, language, purpose, render);
}
