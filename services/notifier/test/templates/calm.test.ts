import { knownStatuses, language } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { unsubscribeTexts } from '../../src/http/pages/unsubscribe-texts.ts';
import { accountMailTexts } from '../../src/templates/account-mail-texts.ts';
import { renderDigestMail } from '../../src/templates/digest-mail.ts';
import { digestMailTexts } from '../../src/templates/digest-mail-texts.ts';
import { footTexts } from '../../src/templates/foot-texts.ts';
import { renderStatusMail } from '../../src/templates/status-mail.ts';
import { statusMailTexts } from '../../src/templates/status-mail-texts.ts';
import { titleIn } from '../../src/templates/update-content.ts';
import { updateTexts } from '../../src/templates/update-texts.ts';
import { direct, factsInEnglishOnly, partnered, visibleText } from '../support/mail-samples.ts';

/** Characters of a mail that a lock screen or a list shows beside the subject, at most. */
const previewed = 140;

describe.each(language.options)('a mail about cases in %s', (name) => {
  it('shows no status and not the name of USCIS on a lock screen', () => {
    for (const { en } of knownStatuses()) {
      const facts = factsInEnglishOnly(en);
      const item = { ...direct, facts };
      const mails = [
        renderStatusMail({ ...direct, language: name, facts }),
        renderDigestMail({ ...direct, language: name, items: [item, item] }),
      ];
      for (const mail of mails) {
        for (const preview of [
          mail.subject,
          mail.text.slice(0, previewed),
          visibleText(mail).slice(0, previewed),
        ]) {
          expect(preview).not.toContain(titleIn(facts.title, name));
          expect(preview).not.toContain('USCIS');
        }
        expect(mail.text).toContain(titleIn(facts.title, name));
      }
    }
  });

  it('names one thing with one word, and says that the page about scams is English', () => {
    const said = [
      accountMailTexts,
      statusMailTexts,
      digestMailTexts,
      updateTexts,
      footTexts,
      unsubscribeTexts,
    ]
      .map((texts) => JSON.stringify(texts[name]))
      .join('\n');
    const misread = {
      en: /[Tt]he deadlines of USCIS|\bYou get this\b|text of USCIS/,
      es: /dígitos|\bPresione\b|\bpresione\b|correos con novedades|[«»]/,
      pt: /dígitos|[Cc]lique|[Nn]ovidades|[Nn]otificaç/,
    };
    expect(said).not.toMatch(misread[name]);
    const opensIn = {
      en: /avoid-scams$/,
      es: /avoid-scams \(.*inglés.*Español/,
      pt: /avoid-scams \(em inglês\)/,
    };
    expect(footTexts[name].advice).toMatch(opensIn[name]);
  });

  it('uses no word of surveillance or of ending', () => {
    const words = { en: /\bwatch/i, es: /vigil|terminado en/i, pt: /vigi|terminad/i }[name];
    const facts = factsInEnglishOnly('Case Was Approved');
    for (const frame of [direct, partnered]) {
      const { subject, text } = renderStatusMail({ ...frame, language: name, facts });
      expect(subject + text.replaceAll('casewatch.example', '')).not.toMatch(words);
    }
  });

  it('names the partner above its heading, and links to the page that switches mails off', () => {
    const facts = factsInEnglishOnly('Case Was Approved');
    const mail = renderStatusMail({ ...partnered, language: name, facts });
    expect(mail.fromName).toBe('Santos & Partners');
    expect(mail.html.indexOf('Santos &amp; Partners')).toBeLessThan(mail.html.indexOf('<h1'));
    expect(mail.html).toContain(`<a href="${partnered.unsubscribe}">`);
    expect(mail.text).toContain(`\n${partnered.unsubscribe}\n`);
    expect(renderStatusMail({ ...direct, language: name, facts }).fromName).toBeNull();
  });

  it('is laid out with what Outlook for Windows can show', () => {
    const facts = factsInEnglishOnly('Request for Initial Evidence Was Sent');
    const { html } = renderStatusMail({ ...partnered, language: name, facts });
    expect(html).not.toMatch(/flex|grid|position:|float:|<button|<section|<script|<svg/);
    expect(html).toContain('<!--[if mso]><table role="presentation" width="560"');
    expect(html).toContain('mso-padding-alt');
  });
});

describe('a digest', () => {
  const item = {
    ...partnered,
    facts: factsInEnglishOnly('Request for Initial Evidence Was Sent', {
      status_description: 'On November 20, 2026, we sent a request for initial evidence. '.repeat(8),
      modified_date: '2026-11-20T08:00:00.000Z',
    }),
  };
  const items = (count: number) => Array.from({ length: count }, () => item);

  // The longest texts that the table and a government's answer have, and links up to those that fill a mail.
  const longest = (language: 'en' | 'es' | 'pt') =>
    knownStatuses().reduce((a, b) => (a.meaning[language].length > b.meaning[language].length ? a : b));
  const links = [0, 300, 2_000, 8_000, 300_000].map(
    (length) => `https://santos.example/${'c'.repeat(length)}?case=FLOW0000012&from=mail`,
  );
  const sizes = language.options.flatMap((name) => links.map((link) => [name, link.length, link] as const));
  it.each(sizes)('of 50 long items in %s, with links of %d, is not cut by Gmail', (name, _length, link) => {
    const facts = factsInEnglishOnly(longest(name).en, {
      status_description: 'On November 20, 2026, we sent a request for initial evidence. '.repeat(80),
      modified_date: '2026-11-20T08:00:00.000Z',
    });
    const long = Array.from({ length: 50 }, () => ({ ...item, facts, link }));
    const mail = renderDigestMail({ ...partnered, language: name, items: long });
    for (const part of [mail.html, mail.text]) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(100_000);
    for (const part of [mail.html, mail.text]) expect(part).toContain('unsubscribe?token=');
    const shown = mail.html.match(/<h2 class="item"/g)?.length ?? 0;
    const left = 50 - shown;
    const sentence = digestMailTexts[name].more(left);
    expect([mail.html.includes(sentence), mail.text.includes(sentence)]).toEqual([left > 0, left > 0]);
    // One link for each that is shown, and one for the others if it has room itself.
    const count = mail.text.split(link).length - 1;
    expect(count).toBe(shown + (left > 0 && link.length <= 2_048 ? 1 : 0));
    expect(shown > 0).toBe(link.length < 100_000);
  });

  it('of short items keeps all of them, and the words of USCIS', () => {
    const facts = factsInEnglishOnly('Case Was Approved', { status_description: 'We approved it.' });
    const short = Array.from({ length: 20 }, () => ({ ...direct, facts }));
    const mail = renderDigestMail({ ...direct, language: 'en', items: short });
    expect(mail.html.match(/We approved it\./g)).toHaveLength(20);
    expect(mail.text).not.toContain('did not fit');
  });

  it.each([0, 51])('with %d items is refused', (count) => {
    expect(() => renderDigestMail({ ...partnered, language: 'en', items: items(count) })).toThrow('1 to 50');
  });
});
