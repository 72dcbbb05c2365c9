import { readFileSync, writeFileSync } from 'node:fs';
import type { Language, MonitoringState } from '@casewatch/contracts';
import { expect } from '@jest/globals';
import type { MemberItem } from '../../src/firm/member-mail.ts';
import type { RenderedMail } from '../../src/templates/layout.ts';
import { memberMailTexts } from '../../src/templates/member-mail-texts.ts';
import { titleIn } from '../../src/templates/update-content.ts';
import { aPartner } from './fixtures.ts';
import { factsInEnglishOnly, visibleText } from './mail-samples.ts';

export const consoleUrl = 'https://api.casewatch.example/console';

/** A member's mail of a firm with a logo. */
export const framed = {
  partner: aPartner(),
  settingsLink: `${consoleUrl}/settings`,
  offLink: `${consoleUrl}/alerts?token=7.4kq-A_0`,
};

export const clients = ['Ana Lucía Ferreira', 'Jonah Okonkwo', 'Wei Ling Sørensen'] as const;

const of = (client: string | null, reference: string, urgent: boolean) => ({
  client,
  reference,
  urgent,
  link: `${consoleUrl}/cases/FLOW0000012`,
  observedAt: new Date('2026-11-21T15:04:00.000Z'),
});

export const evidence: MemberItem = {
  kind: 'change',
  ...of(clients[0], '2026-114', true),
  facts: factsInEnglishOnly('Request for Initial Evidence Was Sent', {
    status_description: 'On November 20, 2026, we sent a request for your Form I-485.',
    modified_date: '2026-11-20T08:00:00.000Z',
  }),
  respondBy: '2027-02-12',
};

export const approved: MemberItem = {
  kind: 'change',
  ...of(clients[1], 'OK-7', false),
  facts: factsInEnglishOnly('Case Was Approved'),
  respondBy: null,
};

export const reminder: MemberItem = {
  kind: 'reminder',
  ...of(clients[2], '2026-009', true),
  due: { date: '2026-11-28', source: 'notice' },
  days: 7,
};

export function monitoring(state: MonitoringState): MemberItem {
  return { kind: 'monitoring', ...of(clients[0], 'FLOW0000013', true), state };
}

/** Days and months as mails write them. */
export const dayOf: Record<Language, string> = {
  en: 'February 12, 2027',
  es: '12 de febrero de 2027',
  pt: '12 de fevereiro de 2027',
};

/** GOLDEN=write writes the kept mails again; look at what changed. */
export function expectGolden(name: string, mail: RenderedMail): void {
  const file = new URL(`../templates/golden/${name}.txt`, import.meta.url);
  const whole = `Template: ${mail.template}\nSubject: ${mail.subject}\n\n${mail.text}\n${mail.html}`;
  if (process.env.GOLDEN === 'write') writeFileSync(file, whole);
  expect(whole).toBe(readFileSync(file, 'utf8'));
}

/** What others than the reader see: the subject, the sender, the preheader, and what a preview of either part shows. */
function seenByOthers(mail: RenderedMail): string[] {
  const previewed = 140;
  const hidden = /mso-hide:all">([^<]*)</.exec(mail.html)?.[1];
  const title = /<title>([^<]*)</.exec(mail.html)?.[1];
  if (hidden === undefined || title === undefined) throw new Error('a mail has no preheader or no title');
  const shown = [mail.text.slice(0, previewed), visibleText(mail).slice(0, previewed)];
  return [mail.subject, mail.fromName ?? '', hidden, title, ...shown];
}

/** Whatever would say whose case it is, and what happened to it. */
function privateWords(item: MemberItem, name: Language): string[] {
  const common = [
    ...clients,
    'Ferreira',
    'Okonkwo',
    'Sørensen',
    item.reference,
    'FLOW',
    'USCIS',
    'EAC',
    '6789',
  ];
  const forms = ['I-485', 'I-765', 'Form ', 'Formulario', 'Formulário'];
  const dates = ['2026', '2027', dayOf[name]];
  const ofChange = item.kind === 'change' ? [item.facts.title.en, titleIn(item.facts.title, name)] : [];
  const ofMonitoring = item.kind === 'monitoring' ? [memberMailTexts[name].monitoring[item.state]] : [];
  const ofReminder =
    item.kind === 'reminder' ? [memberMailTexts[name].daysLeft(item.days), memberMailTexts[name].ifSent] : [];
  return [...common, ...forms, ...dates, ...ofChange, ...ofMonitoring, ...ofReminder];
}

/** Searches what others see for everything private that the mail has. */
export function expectNothingPrivate(mail: RenderedMail, items: readonly MemberItem[], name: Language) {
  const words = items.flatMap((item) => privateWords(item, name)).map((word) => word.toLowerCase());
  const found = seenByOthers(mail).flatMap((text) =>
    words.filter((word) => text.toLowerCase().includes(word)).map((word) => `${word} in: ${text}`),
  );
  expect(found).toEqual([]);
}
