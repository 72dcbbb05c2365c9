import { alertCategories, alerts, defaultAlerts, type ToldMember } from '@casewatch/contracts';
import { ApiError, type Markup } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import {
  alertFields,
  alertsForm,
  alertsOfForm,
  awayField,
  awayOfForm,
} from '../../src/pages/console/alerts.ts';
import type { ConsoleCall } from '../../src/pages/console/console-page.ts';
import { toldNote } from '../../src/pages/console/told-staff.ts';
import { unreachedNotice } from '../../src/pages/console/unreached.ts';
import { createTimes } from '../../src/pages/parts/time.ts';
import { sentBy } from '../support/sent-form.ts';

describe('the fields of alerts', () => {
  it.each([
    ['the default ones', defaultAlerts],
    ['all changes', { ...defaultAlerts, immediate: [...alertCategories] }],
    ['some categories', { ...defaultAlerts, immediate: ['urgent', 'card', 'interview'] }],
    ['one category that is not urgent', { ...defaultAlerts, immediate: ['card'] }],
    ['nothing', { ...defaultAlerts, immediate: [], digest: 'off' as const, quiet_hours: null }],
    [
      'others',
      {
        ...defaultAlerts,
        scope: 'all' as const,
        digest: 'daily' as const,
        digest_at: '23:59',
        quiet_hours: { from: '13:00', to: '14:30' },
      },
    ],
  ])('send back what they show, unchanged: %s', (_what, shown) => {
    const form = alertsForm.parse(sentBy(alertFields(shown, null).html));
    expect(alertsOfForm(form)).toEqual(shown);
    expect(alerts.safeParse(alertsOfForm(form)).success).toBe(true);
  });

  it('take the seconds that some browsers add to a time', () => {
    const sent = { ...sentBy(alertFields(defaultAlerts, null).html), digest_at: '06:45:00' };
    expect(alertsOfForm(alertsForm.parse(sent)).digest_at).toBe('06:45');
  });
});

describe('the day until which a member is away', () => {
  it.each([
    ['America/Chicago', '2027-03-14'],
    ['America/Chicago', '2027-11-07'],
    ['Asia/Kolkata', '2028-02-29'],
    ['Pacific/Auckland', '2027-04-04'],
    ['Pacific/Auckland', '2027-09-26'],
    ['Africa/Cairo', '2027-04-30'],
    ['Pacific/Honolulu', '2027-01-01'],
    ['UTC', '2027-06-30'],
  ])('is the same after it was saved and shown again, in %s on %s', (zone, day) => {
    const away_until = awayOfForm(day, zone)?.slice(0, 19).replace('T', ' ') ?? null;
    expect(sentBy(awayField({ away_until } as never, zone, null).html).away_until).toBe(day);
  });

  it.each([
    ['Asia/Tokyo', '2027-01-01', '2026-12-31T15:00:00.000Z'],
    ['America/Chicago', '2027-03-14', '2027-03-14T06:00:00.000Z'],
    ['America/Chicago', '2027-11-07', '2027-11-07T05:00:00.000Z'],
    ['Pacific/Auckland', '2027-04-04', '2027-04-03T11:00:00.000Z'],
    ['Pacific/Auckland', '2027-09-26', '2027-09-25T12:00:00.000Z'],
  ])('begins at midnight, also where clocks change on it: in %s on %s', (zone, day, start) => {
    expect(awayOfForm(day, zone)).toBe(start);
  });

  it('is none without a day', () => {
    expect(awayOfForm(null, 'UTC')).toBeNull();
    expect(sentBy(awayField({ away_until: null } as never, 'UTC', null).html).away_until).toBe('');
  });
});

const times = createTimes({ now: new Date('2026-11-28T17:00:00Z'), zone: 'America/Chicago', language: 'en' });
const textOf = (markup: Markup | null) => (markup?.html ?? '').replaceAll(/<[^>]+>/g, '').trim();

describe('the line of a change that says which members were mailed', () => {
  const member = (staff_id: number, over: Partial<ToldMember> = {}): ToldMember => ({
    ...{ staff_id, name: `Member No. ${staff_id}`, status: 'sent', sent_at: '2026-11-28 16:02:05' },
    ...over,
  });
  const noteOf = (staff: ToldMember[]) => textOf(toldNote(times, { user: null, staff }));

  it.each([
    ['one', [member(1, { name: 'Ana Silva' })], 'Ana Silva was mailed 10:02'],
    [
      'two, the first who was',
      [member(1), member(2, { name: 'Bia', sent_at: '2026-11-28 15:00:00' })],
      'Bia and 1 other were mailed 09:00',
    ],
    ['three', [member(1), member(2), member(3)], 'Member No. 1 and 2 others were mailed 10:02'],
    [
      'an erased one, on another day',
      [member(7, { name: null, sent_at: '2026-11-20 16:02:05' })],
      'Member 7 was mailed Nov 20, 2026',
    ],
    [
      'one who was, and one who could not be',
      [member(1, { status: 'failed', sent_at: null }), member(2)],
      'Member No. 2 was mailed 10:02',
    ],
    ['nobody: it failed', [member(1, { status: 'failed', sent_at: null })], 'Nobody was mailed'],
    ['nobody yet', [member(1, { status: 'pending', sent_at: null })], ''],
    ['nobody', [], ''],
  ])('says it of %s', (_what, staff, text) => {
    expect(noteOf(staff)).toBe(text);
  });

  it('writes a name as text', () => {
    const note = toldNote(times, { user: null, staff: [member(1, { name: '<b>Ana</b>' })] });
    expect(note?.html).toContain('&lt;b&gt;Ana');
  });
});

describe('what reached nobody', () => {
  const reply = {
    count: 12,
    latest_at: '2026-11-28T16:02:05.000Z',
    case_refs: ['FLOW0001042', 'FLOW0001043'],
  };
  const call = (
    request: (name: string, data: unknown) => Promise<unknown>,
    scopes = ['cases:write', 'staff'],
    open: { changes: unknown[]; has_more: boolean } = {
      changes: [change('FLOW0001043', 'Ana')],
      has_more: false,
    },
  ) =>
    ({
      request,
      ask: async () => open,
      times,
      session: { principal: { partner_id: 8, scopes } },
    }) as unknown as ConsoleCall;
  const change = (user_case_id: string, name: string | null) => ({
    case: { user_case_id },
    user: name === null ? null : { name },
  });

  it('is said in red, with links to the cases, of the own firm alone', async () => {
    const asked: unknown[] = [];
    const markup = await unreachedNotice(
      call(
        async (...question) => {
          asked.push(question);
          return reply;
        },
        undefined,
        {
          changes: [...Array(12)].map((_, i) =>
            change(`FLOW000104${2 + (i % 2)}`, i % 2 ? 'Ana Silva' : null),
          ),
          has_more: false,
        },
      ),
    );
    expect(asked).toEqual([['notifier.unreached', { partner_id: 8 }]]);
    expect(markup?.html).toContain('class="notice bad"');
    expect(textOf(markup)).toContain('12 urgent changes reached nobody of your staff');
    expect(markup?.html).toContain('href="/console/cases/FLOW0001043">Ana Silva');
    expect(markup?.html).toContain('href="/console/cases/FLOW0001042">FLOW0001042');
  });

  it('ends with a look at the changes, or with the case', async () => {
    const seen = async (...open: [changes: unknown[], has_more?: boolean]) =>
      await unreachedNotice(
        call(async () => reply, undefined, { changes: open[0], has_more: open[1] ?? false }),
      );
    expect(await seen([])).toBeNull();
    expect(await seen([change('FLOW0009999', 'Luis')])).toBeNull();
    const one = await seen([change('FLOW0001043', 'Ana Silva'), change('FLOW0009999', 'Luis')]);
    expect(textOf(one)).toContain('An urgent change reached nobody of your staff');
    expect(one?.html).not.toContain('FLOW0001042');
    // Of more than one question returns: what is not known stays.
    const many = await seen([change('FLOW0009999', 'Luis')], true);
    expect(textOf(many)).toContain('12 urgent changes reached nobody');
    expect(many?.html).toContain('FLOW0001042');
  });

  it('is nothing where everything reached somebody, and for who only reads, who is not asked for', async () => {
    const none = { count: 0, latest_at: null, case_refs: [] };
    expect(await unreachedNotice(call(async () => none))).toBeNull();
    const fails = async () => {
      throw new Error('asked');
    };
    expect(await unreachedNotice(call(fails, ['cases:read']))).toBeNull();
  });

  it('leaves the page as it is while the notifier is away', async () => {
    const away = async () => {
      throw new ApiError('service_unavailable');
    };
    expect(await unreachedNotice(call(away))).toBeNull();
  });
});
