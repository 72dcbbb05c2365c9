import { knownStatuses, language, statusWords } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import type { MemberItem } from '../../src/firm/member-mail.ts';
import { firstSentence } from '../../src/templates/member-item.ts';
import { renderMemberMail } from '../../src/templates/member-mail.ts';
import { memberMailTexts } from '../../src/templates/member-mail-texts.ts';
import { aPartner } from '../support/fixtures.ts';
import { factsInEnglishOnly } from '../support/mail-samples.ts';
import {
  approved,
  clients,
  dayOf,
  evidence,
  expectGolden,
  expectNothingPrivate,
  framed,
  monitoring,
  reminder,
} from '../support/member-samples.ts';

const more = { count: 27, link: 'https://api.casewatch.example/console/changes?reviewed=false' };
const states = ['not_found', 'rejected', 'overdue', 'paused', 'watched'] as const;

describe.each(language.options)('a mail to a member in %s', (name) => {
  const render = (items: readonly MemberItem[], rest: typeof more | null = null) =>
    renderMemberMail({ ...framed, language: name, items, more: rest });

  it('tells of a change, a reminder, a state of monitoring and the rest', () => {
    const items = [approved, monitoring('rejected'), reminder, evidence];
    expectGolden(`member-mail-${name}`, render(items, more));
    expectGolden(`member-mail-one-${name}`, render([approved]));
    expectGolden(`member-reminder-${name}`, render([reminder]));
  });

  it('shows no name, receipt, form, date or status before its body, for each status and each kind', () => {
    for (const { en } of knownStatuses()) {
      const items = [{ ...evidence, facts: factsInEnglishOnly(en) }] as const;
      const mail = render(items);
      expectNothingPrivate(mail, items, name);
      // The search can find: all of it stands in the body.
      expect(mail.text).toContain(clients[0]);
      expect(mail.text).toContain('…6789');
      expect(mail.text).toContain(en);
    }
    for (const items of [
      [reminder],
      ...states.map((state) => [monitoring(state)]),
      [approved, reminder, evidence],
    ])
      for (const rest of [null, more]) expectNothingPrivate(render(items, rest), items, name);
  });

  it('tells by its subject how many there are, also of those that it does not list, and whether to hurry', () => {
    const texts = memberMailTexts[name];
    expect(render([approved]).subject).toBe(texts.subject(1, false));
    expect(render([approved, evidence], more).subject).toBe(texts.subject(29, true));
    expect(render([approved, evidence], more).text).toContain(
      `${texts.more(27)}\n${texts.moreLink}:\n${more.link}\n`,
    );
    expect(render([approved], { ...more, count: 0 }).text).not.toContain(more.link);
  });

  it('lists what is urgent first, then the newest, in whatever order it comes', () => {
    const older = { ...approved, reference: 'older', observedAt: new Date('2026-11-21T14:00:00.000Z') };
    const newest = { ...approved, reference: 'newest', observedAt: new Date('2026-11-21T16:00:00.000Z') };
    const { text, html } = render([older, newest, evidence]);
    for (const part of [text, html]) {
      const places = ['2026-114', 'newest', 'older'].map((reference) => part.indexOf(reference));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it('names the day for the answer before the status, and where the day comes from', () => {
    const texts = memberMailTexts[name];
    const estimated = render([evidence]).text;
    expect(estimated).toContain(`${texts.due}: ${dayOf[name]}. ${texts.estimated}`);
    expect(estimated.indexOf(dayOf[name])).toBeLessThan(estimated.indexOf(texts.says));
    if (evidence.kind !== 'change') throw new Error('no change');
    const noticed = { ...evidence, facts: { ...evidence.facts, notice: '2027-02-12' } };
    expect(render([noticed]).text).toContain(`${texts.due}: ${dayOf[name]}. ${texts.fromNotice}`);
    // Not the day of this update, but the one that the case has now.
    const moved = { ...evidence, respondBy: '2027-01-02' };
    expect(render([moved]).text).not.toContain(dayOf[name]);
    const unknown = render([{ ...evidence, respondBy: null }]).text;
    expect(unknown).toContain(texts.noDay);
    expect(unknown).not.toContain(texts.due);
    expect(render([approved]).text).not.toContain(texts.noDay);
    // Of an answer that is sent, or was asked for by an earlier status, nobody has to know it.
    const answered = render([{ ...evidence, respondBy: null, isAnswered: true }]).text;
    expect(answered).not.toContain(texts.noDay);
    expect(answered).toContain(texts.says);
  });

  it('counts the days that are left as people do', () => {
    const { daysLeft, fromNotice, estimated } = memberMailTexts[name];
    const lines = [0, 1, 2, 7].map((days) => render([{ ...reminder, days } as MemberItem]).text);
    const day = { en: 'November 28, 2026', es: '28 de noviembre de 2026', pt: '28 de novembro de 2026' }[
      name
    ];
    for (const [i, days] of [0, 1, 2, 7].entries()) expect(lines[i]).toContain(`${daysLeft(days)}: ${day}. `);
    expect(daysLeft(0) + daysLeft(1)).not.toMatch(/\d/);
    // A reminder says where its day comes from, too.
    if (reminder.kind !== 'reminder') throw new Error('no reminder');
    expect(render([reminder]).text).toContain(`${day}. ${fromNotice} `);
    const ours = render([{ ...reminder, due: { ...reminder.due, source: 'estimate' } }]).text;
    expect(ours).toContain(`${day}. ${estimated} `);
    expect(ours).not.toContain(fromNotice);
  });

  it('says what USCIS says in the words of USCIS, marked as English, and what it means in one sentence of ours', () => {
    for (const { en } of knownStatuses()) {
      const mail = render([{ ...approved, facts: factsInEnglishOnly(en) } as MemberItem]);
      const sentence = firstSentence(statusWords(en, name).meaning);
      expect(sentence).toMatch(/[.!?]$/);
      expect(sentence).not.toMatch(/(?:EE|U)\.$/);
      expect(mail.text).toContain(`\n${memberMailTexts[name].means}: ${sentence}\n`);
      expect(mail.html.includes('<strong lang="en">')).toBe(name !== 'en');
    }
  });

  it('has no client where the firm wants no names in mails', () => {
    const items = [evidence, approved, reminder, monitoring('overdue')].map((item) => ({
      ...item,
      client: null,
    }));
    const { text, html } = render(items);
    for (const client of clients) expect(text + html).not.toContain(client);
    for (const { reference } of items) expect(text).toMatch(new RegExp(`(?:^|: |\\* )${reference}$`, 'm'));
  });

  it('has no more of a receipt number than its last four', () => {
    const { text, html } = render([evidence, approved]);
    for (const part of [text, html]) {
      expect(part).toContain('…6789');
      expect(part).not.toMatch(/EAC\d|9999106/);
    }
  });

  it('says why it comes, and ends in the settings and in the switch', () => {
    const texts = memberMailTexts[name];
    const { text, html } = render([approved]);
    const why = texts.whyFirm('Santos & Partners');
    expect(text.indexOf(why)).toBeGreaterThan(text.indexOf('\n-- \n'));
    expect(text).toContain(
      `\n${texts.settings}:\n${framed.settingsLink}\n${texts.off}:\n${framed.offLink}\n`,
    );
    for (const link of [framed.settingsLink, framed.offLink]) expect(html).toContain(`<a href="${link}">`);
    const alone = renderMemberMail({
      ...framed,
      settingsLink: null,
      offLink: null,
      language: name,
      items: [evidence],
      more: null,
      isLastResort: true,
    });
    expect(alone.text).toContain(texts.lastResort('Santos & Partners'));
    for (const absent of [why, texts.settings, texts.off]) expect(alone.text).not.toContain(absent);
  });

  it('of 50 of the longest things is not cut by Gmail', () => {
    const longest = knownStatuses().reduce((a, b) =>
      firstSentence(a.meaning[name]).length > firstSentence(b.meaning[name]).length ? a : b,
    );
    const facts = {
      ...factsInEnglishOnly(longest.en),
      title: { en: 'W'.repeat(300), es: null, pt: null },
      previous_title: { en: 'V'.repeat(300), es: null, pt: null },
      new_history: [{ date: '2026-11-19', text: { en: 'H'.repeat(400), es: null, pt: null } }],
    };
    const item: MemberItem = {
      ...evidence,
      kind: 'change',
      respondBy: '2027-02-12',
      facts,
      client: 'N'.repeat(120),
      reference: 'R'.repeat(64),
    };
    const mail = render(
      Array.from({ length: 50 }, () => item),
      more,
    );
    for (const part of [mail.html, mail.text]) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(100_000);
      expect(part).toContain(framed.offLink);
      expect(part.split('R'.repeat(64)).length - 1).toBe(50);
      expect(part).toContain(memberMailTexts[name].more(27));
    }
  });

  it.each([0, 51])('with %d things is refused', (count) => {
    expect(() => render(Array.from({ length: count }, () => approved))).toThrow('1 to 50');
  });

  it('uses no word of surveillance or of ending, and no word that the house does not use', () => {
    const said = Object.values(memberMailTexts[name])
      .map((text) => (typeof text === 'function' ? (text as (...args: unknown[]) => string)(2, true) : text))
      .flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)))
      .join('\n');
    const words = {
      en: /\bwatch|\bYou get this\b/i,
      es: /vigil|terminado en|dígitos|\bpresione\b|[«»]/i,
      pt: /vigi|terminad|dígitos|clique|novidades|notificaç/i,
    }[name];
    expect(said).not.toMatch(words);
  });
});

describe('a mail to a member', () => {
  it('is laid out with what Outlook for Windows can show', () => {
    const { html } = renderMemberMail({ ...framed, language: 'en', items: [evidence, reminder], more });
    expect(html).not.toMatch(/flex|grid|position:|float:|<button|<section|<script|<svg/);
    expect(html).toContain('<!--[if mso]><table role="presentation" width="560"');
    expect(html).toContain('<img src="https://santos.example/logo.png"');
  });

  it('cannot be turned into something else by the words of a client, a firm or a government', () => {
    const hostile = '<script>x</script>\r\nBcc: x@example.org\u202e';
    const items: MemberItem[] = [
      { ...reminder, client: hostile, reference: '<b>7</b>' } as MemberItem,
      { ...approved, facts: factsInEnglishOnly('Case <i>Was</i>\r\nBcc: y@example.org') } as MemberItem,
    ];
    const partner = { ...aPartner(), name: 'A <b>firm</b>\r\nBcc: z@example.org' };
    const mail = renderMemberMail({ ...framed, partner, language: 'en', items, more: null });
    expect(mail.html).not.toMatch(/<script|<b>|<i>|\u202e/);
    expect(mail.text).not.toMatch(/\r|^Bcc|\u202e/m);
    expect(mail.subject).toBe('2 updates on your cases: please read today');
    expect(mail.fromName).toBe('A <b>firm</b> Bcc: z@example.org');
  });
});
