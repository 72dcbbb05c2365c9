import { knownStatuses, language } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import type { MemberItem } from '../../src/firm/member-mail.ts';
import { type MemberDigest, renderMemberDigest } from '../../src/templates/member-digest.ts';
import { memberDigestTexts } from '../../src/templates/member-digest-texts.ts';
import { firstSentence } from '../../src/templates/member-item.ts';
import { memberMailTexts } from '../../src/templates/member-mail-texts.ts';
import { factsInEnglishOnly } from '../support/mail-samples.ts';
import {
  approved,
  clients,
  consoleUrl,
  evidence,
  expectGolden,
  expectNothingPrivate,
  framed,
  monitoring,
} from '../support/member-samples.ts';

const nothing = { items: [], total: 0, link: `${consoleUrl}/changes` };

const dueItem = {
  client: clients[1],
  reference: 'OK-7',
  link: `${consoleUrl}/cases/FLOW0000014`,
  respondBy: { date: '2026-11-28', source: 'notice' },
  left: 7,
} as const;

const full: Omit<MemberDigest, 'language'> = {
  ...framed,
  day: '2026-11-21',
  unreviewed: {
    items: [approved, monitoring('overdue'), evidence],
    total: 303,
    link: `${consoleUrl}/changes?reviewed=false`,
  },
  dates: {
    items: [
      { ...dueItem, respondBy: { date: '2026-11-21', source: 'estimate' }, left: 0 },
      { ...dueItem, reference: 'FLOW0000015' },
    ],
    total: 4,
    link: `${consoleUrl}/cases?sort=respond_by`,
  },
  unreachable: {
    items: [{ id: 12, name: clients[2], link: `${consoleUrl}/users/12` }],
    total: 3,
    link: `${consoleUrl}/overview`,
  },
  endpoints: [
    {
      host: 'hooks.santos.example',
      at: new Date('2026-11-16T09:30:00.000Z'),
      isDisabled: false,
      link: `${consoleUrl}/webhooks/12`,
    },
    {
      host: 'old.santos.example',
      at: new Date('2026-11-17T09:30:00.000Z'),
      isDisabled: true,
      link: `${consoleUrl}/webhooks/13`,
    },
  ],
};

describe.each(language.options)('a digest to a member in %s', (name) => {
  const texts = memberDigestTexts[name];
  const render = (over: Partial<MemberDigest> = {}) =>
    renderMemberDigest({ ...full, language: name, ...over });

  it('tells of dates, changes, clients and endpoints', () => {
    expectGolden(`member-digest-${name}`, render());
  });

  it('has a count and nothing private before its body', () => {
    const items = full.unreviewed.items;
    const mail = render();
    expectNothingPrivate(mail, items, name);
    expectNothingPrivate(render({ unreviewed: { ...nothing } }), items, name);
    for (const word of ['hooks.santos.example', ...clients]) expect(mail.text).toContain(word);
    expect(mail.subject).toBe(texts.subject(303 + 4 + 3 + 2));
    expect(mail.subject).not.toContain('hooks');
  });

  it('begins with the days for answers, and how many are left', () => {
    const { text, html } = render();
    for (const part of [text, html.replaceAll(/<[^>]+>/g, '')]) {
      const places = [texts.dates, texts.unreviewed(303), texts.unreachable, texts.endpoints].map((heading) =>
        part.indexOf(heading),
      );
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(part).toContain(`(${texts.left(0)})`);
      expect(part).toContain(texts.estimate);
    }
    expect(text.split(texts.estimate)).toHaveLength(2);
  });

  it('says how many it does not list, and where they are', () => {
    const { text } = render();
    const { more, moreLink } = memberMailTexts[name];
    expect(text).toContain(`${more(300)}\n${moreLink}:\n${full.unreviewed.link}`);
    expect(text).toContain(`${texts.moreDates(2)} ${texts.list}:\n${full.dates.link}`);
    expect(text).toContain(`${texts.moreClients(2)} ${texts.list}:\n${full.unreachable.link}`);
    const whole = render({
      unreviewed: { ...full.unreviewed, total: 3 },
      dates: { ...full.dates, total: 2 },
      unreachable: { ...full.unreachable, total: 1 },
    }).text;
    for (const link of [full.unreviewed.link, full.dates.link, `${full.unreachable.link}\n`])
      expect(whole).not.toContain(link);
  });

  it('has only the parts of which there is something', () => {
    const parts = {
      dates: { ...nothing },
      unreviewed: { ...nothing },
      unreachable: { ...nothing },
      endpoints: [],
    } as const;
    const headings = {
      dates: texts.dates,
      unreviewed: texts.unreviewed(303),
      unreachable: texts.unreachable,
      endpoints: texts.endpoints,
    };
    for (const part of ['dates', 'unreviewed', 'unreachable', 'endpoints'] as const) {
      const { text } = render({ ...parts, [part]: full[part] });
      const found = Object.values(headings).filter((heading) => text.includes(`${heading}:`));
      expect(found).toEqual([headings[part]]);
    }
    expect(() => render(parts)).toThrow('a digest has something');
  });

  it('has no client where the firm wants no names in mails', () => {
    const nameless = <T extends MemberItem>(item: T) => ({ ...item, client: null });
    const { text, html } = render({
      unreviewed: { ...full.unreviewed, items: full.unreviewed.items.map(nameless) },
      dates: { ...full.dates, items: full.dates.items.map((item) => ({ ...item, client: null })) },
      unreachable: {
        ...full.unreachable,
        items: full.unreachable.items.map((item) => ({ ...item, name: null })),
      },
    });
    for (const client of clients) expect(text + html).not.toContain(client);
    for (const part of [text, html]) expect(part).toContain(texts.client(12));
  });

  it('with the most and longest of everything is not cut by Gmail', () => {
    const longest = knownStatuses().reduce((a, b) =>
      firstSentence(a.meaning[name]).length > firstSentence(b.meaning[name]).length ? a : b,
    );
    const facts = { ...factsInEnglishOnly(longest.en), title: { en: 'W'.repeat(300), es: null, pt: null } };
    const long = { client: 'N'.repeat(120), reference: 'R'.repeat(64) };
    const item = { ...evidence, ...long, facts } as MemberItem;
    const mail = render({
      unreviewed: { ...full.unreviewed, items: Array.from({ length: 50 }, () => item) },
      dates: { ...full.dates, items: Array.from({ length: 20 }, () => ({ ...dueItem, ...long })) },
      unreachable: {
        ...full.unreachable,
        items: Array.from({ length: 5 }, (_, i) => ({
          id: i + 1,
          name: long.client,
          link: `${consoleUrl}/users/${i + 1}`,
        })),
      },
      endpoints: Array.from({ length: 10 }, (_, i) => ({
        host: 'h'.repeat(253),
        at: new Date('2026-11-17T09:30:00.000Z'),
        isDisabled: i % 2 === 0,
        link: `${consoleUrl}/webhooks/${i + 1}`,
      })),
    });
    for (const part of [mail.html, mail.text]) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(100_000);
      expect(part).toContain(framed.offLink);
      expect(part.split(`${long.client} · ${long.reference}`).length - 1).toBe(70);
    }
  });

  it('uses no word of surveillance or of ending, and no word that the house does not use', () => {
    const said = Object.values(texts)
      .map((text) => (typeof text === 'function' ? (text as (...args: unknown[]) => string)(2, 'x') : text))
      .join('\n');
    const words = {
      en: /\bwatch|\bYou get this\b/i,
      es: /vigil|terminado en|dígitos|\bpresione\b|[«»]/i,
      pt: /vigi|terminad|dígitos|clique|novidades|notificaç/i,
    }[name];
    expect(said).not.toMatch(words);
  });
});
