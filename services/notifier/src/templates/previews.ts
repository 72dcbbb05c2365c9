import { type Language, type MailPreview, matchStatus } from '@casewatch/contracts';
import { factsOf, type NotificationFacts } from '../domain/notification-facts.ts';
import type { MemberItem } from '../firm/member-mail.ts';
import { renderAccountMail } from './account-mail.ts';
import type { ShownPartner } from './brand.ts';
import { renderDigestMail } from './digest-mail.ts';
import type { RenderedMail } from './layout.ts';
import { type MemberDigest, renderMemberDigest } from './member-digest.ts';
import { type MemberFrame, renderMemberMail } from './member-mail.ts';
import { renderStatusMail } from './status-mail.ts';

/** Of everything in a preview; it makes each of them the same every day. */
const seenAt = new Date('2026-11-21T15:04:00.000Z');

type Shown = { language: Language; partner: ShownPartner; publicUrl: string };

/** Each mail that people and members of a partner get, under its name and logo. The cases in them are made up. */
export function mailPreviews({ language, partner, publicUrl }: Shown): MailPreview[] {
  const link = `${publicUrl}/console/mails`;
  const ofCase = { language, partner, unsubscribe: link, link };
  const reader = { language, partner };
  const ofMember = { language, partner, settingsLink: link, offLink: link };
  const mails: readonly (readonly [name: string, mail: RenderedMail])[] = [
    ['status-approved', renderStatusMail({ ...ofCase, facts: approved, observedAt: seenAt })],
    ['status-evidence', renderStatusMail({ ...ofCase, facts: evidence, observedAt: seenAt })],
    ['status-denied', renderStatusMail({ ...ofCase, facts: denied, observedAt: seenAt })],
    [
      'digest',
      renderDigestMail({
        ...ofCase,
        items: [approved, evidence].map((facts) => ({ facts, observedAt: seenAt, link })),
      }),
    ],
    ['verify-email', renderAccountMail({ kind: 'verify_email', link }, reader)],
    ['verify-reminder', renderAccountMail({ kind: 'verify_reminder', link }, reader)],
    [
      'login-code',
      renderAccountMail({ kind: 'login_code', code: '042137', validMinutes: 10, isForStaff: false }, reader),
    ],
    ['address-changed', renderAccountMail({ kind: 'address_changed', link }, reader)],
    ['confirm-new-address', renderAccountMail({ kind: 'confirm_new_address', link }, reader)],
    ['address-change-asked', renderAccountMail({ kind: 'address_change_asked', link }, reader)],
    ['address-taken', renderAccountMail({ kind: 'address_taken' }, reader)],
    ['member-mail', renderMemberMail({ ...ofMember, items: memberItems(link), more: { count: 3, link } })],
    ['member-digest', renderMemberDigest({ ...ofMember, ...digestSample(link) })],
    ['staff-invitation', renderAccountMail({ kind: 'staff_invitation', link }, reader)],
    ['staff-signed-in', renderAccountMail({ kind: 'staff_signed_in', link }, reader)],
    [
      'settings-changed',
      renderAccountMail({ kind: 'settings_changed', link, settings: ['reply_to', 'case_url'] }, reader),
    ],
    [
      'second-factor',
      renderAccountMail({ kind: 'second_factor_changed', link, change: 'on', codesLeft: 10 }, reader),
    ],
    ['confirm-reply-to', renderAccountMail({ kind: 'confirm_reply_to', link }, reader)],
    ['partner-deletion', renderAccountMail({ kind: 'partner_deletion', endsAt: seenAt }, reader)],
  ];
  return mails.map(([name, { subject, html }]) => ({ name, subject, html }));
}

/** Things for previews and pictures of mails to members; the people in them are made up. */
export function memberItems(link: string): MemberItem[] {
  const item = { link, observedAt: seenAt };
  return [
    {
      ...item,
      ...{ kind: 'change', facts: evidence, respondBy: '2027-02-12', urgent: true },
      ...{ client: 'Ada Example', reference: '2026-114' },
    },
    {
      ...item,
      ...{ kind: 'reminder', due: { date: '2026-11-28', source: 'notice' }, days: 7, urgent: true },
      ...{ client: 'Ben Example', reference: '2026-098' },
    },
    {
      ...item,
      ...{ kind: 'monitoring', state: 'not_found', urgent: true },
      ...{ client: 'Cleo Example', reference: 'FLOW0000015' },
    },
    {
      ...item,
      ...{ kind: 'change', facts: approved, respondBy: null, urgent: false },
      ...{ client: 'Dan Example', reference: '2026-077' },
    },
  ];
}

/** The same for a digest. */
export function digestSample(link: string): Omit<MemberDigest, keyof MemberFrame> {
  const items = memberItems(link).filter(({ kind }) => kind !== 'reminder');
  const due = { link, client: 'Ben Example', reference: '2026-098' };
  return {
    day: '2026-11-21',
    unreviewed: { items, total: items.length + 250, link },
    dates: {
      items: [
        { ...due, respondBy: { date: '2026-11-28', source: 'notice' }, left: 7 },
        { ...due, client: 'Eva Example', respondBy: { date: '2026-12-03', source: 'estimate' }, left: 12 },
      ],
      total: 2,
      link,
    },
    unreachable: { items: [{ id: 12, name: 'Finn Example', link }], total: 1, link },
    endpoints: [{ host: 'hooks.santos.example', at: seenAt, isDisabled: false, link }],
  };
}

/** Cases for previews and pictures. */
export const approved = sampleFacts('Case Was Approved', {
  id: 12,
  text: 'On November 20, 2026, we approved your Form I-765, Application for Employment Authorization. We will send you an approval notice. Please follow the instructions in the notice.',
});
export const evidence = sampleFacts('Request for Initial Evidence Was Sent', {
  id: 13,
  text: 'On November 20, 2026, we sent a request for initial evidence for your Form I-485. The request explains what we need from you. We will not take action on your case until we receive the evidence or the deadline to submit it expires.',
});
export const denied = sampleFacts('Case Was Denied', {
  id: 14,
  text: 'On November 20, 2026, we denied your Form I-539. We sent you a denial notice that explains why we denied your case and your options.',
});

/** Facts of a made-up case, where USCIS served English only. */
function sampleFacts(title: string, { id, text }: { id: number; text: string }): NotificationFacts {
  const known = matchStatus(title).knownStatus;
  return factsOf(
    {
      case: {
        id,
        user_case_id: `FLOW00000${id}`,
        receipt_number: 'EAC9999106789',
        user_id: 12,
        partner_id: 1,
      },
      status_update: {
        id,
        kind: 'status',
        changes: [],
        touched_at: null,
        observation: 2,
        timestamp: '2026-11-21T15:04:00.000Z',
        status_code: title,
        status_description: text,
        form_type: null,
        status_code_es: known?.es ?? null,
        status_description_es: known?.meaning.es ?? null,
        status_code_pt: known?.pt ?? null,
        status_description_pt: known?.meaning.pt ?? null,
        status_slug: 'known',
        category: 'review',
        submitted_date: null,
        modified_date: '2026-11-20T08:00:00.000Z',
        history: [],
      },
      title_modified_date: null,
      skip_reason: null,
      previous_status_code: 'Case Was Received',
      new_history: [],
      spanish_source: 'casewatch',
    },
    seenAt,
  );
}
