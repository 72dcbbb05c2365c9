import { describe, expect, it } from '@jest/globals';
import { chooseMembers, type NewsFacts } from '../../src/firm/choose-members.ts';
import { aMember } from '../support/firm.ts';

const now = new Date('2027-01-12T03:00:00Z');
const later = '2027-02-01T00:00:00.000Z';
const urgent: NewsFacts = { kind: 'change', urgent: true, category: 'evidence' };
const ordinary: NewsFacts = { kind: 'change', urgent: false, category: 'approved' };

type Firm = Parameters<typeof chooseMembers>[1];

function choose(news: NewsFacts, members: Firm['members'], over: Partial<Firm> = {}) {
  const choice = chooseMembers(news, {
    members,
    assigneeId: null,
    now,
    timeZone: 'America/New_York',
    unreachable: new Set(),
    isReached: false,
    ...over,
  });
  return { ids: choice.members.map(({ id }) => id), ...choice };
}

const off = { immediate: [] };
const all = { scope: 'all' } as const;

describe('who is told of a change', () => {
  it('is the assignee, and who looks at all cases; not another member', () => {
    const members = [aMember(1), aMember(2), aMember(3, { alerts: all })];
    expect(choose(urgent, members, { assigneeId: 1 }).ids).toEqual([1, 3]);
  });

  it('is everybody who wants it where nobody works on the case, or only somebody who has left', () => {
    const members = [aMember(1), aMember(2), aMember(3, { alerts: off })];
    expect(choose(urgent, members).ids).toEqual([1, 2]);
    expect(choose(urgent, members, { assigneeId: 99 }).ids).toEqual([1, 2]);
  });

  it('depends on its category, and on whether it is urgent', () => {
    const members = [
      aMember(1, { alerts: { immediate: ['approved'] } }),
      aMember(2, { alerts: { immediate: ['urgent'] } }),
      aMember(3, { alerts: { immediate: ['evidence'] } }),
    ];
    expect(choose(ordinary, members).ids).toEqual([1]);
    expect(choose(urgent, members).ids).toEqual([2, 3]);
    expect(choose({ kind: 'monitoring', urgent: true, category: null }, members).ids).toEqual([2]);
    expect(
      choose({ kind: 'reminder', urgent: false }, [...members, aMember(4, { alerts: off })]).ids,
    ).toEqual([1, 2, 3]);
  });

  it('are the owners while who would be told is away', () => {
    const members = [
      aMember(1, { away_until: later }),
      aMember(2, { role: 'owner' }),
      aMember(3, { role: 'owner', away_until: later }),
      aMember(4),
    ];
    expect(choose(urgent, members, { assigneeId: 1 }).ids).toEqual([2]);
    expect(
      choose(ordinary, [aMember(1, { away_until: later }), ...members.slice(1)], { assigneeId: 1 }).ids,
    ).toEqual([]);
    const instead = (news: NewsFacts, owner: Parameters<typeof aMember>[1]) => {
      const away = aMember(1, { away_until: later, alerts: { immediate: ['urgent', 'approved'] } });
      return choose(news, [away, aMember(2, { role: 'owner', ...owner })], { assigneeId: 1 }).members;
    };
    expect(instead(ordinary, {})).toEqual([{ id: 2, dueAt: null, instead: true }]);
    // Who wants it as well hears it in any case.
    expect(instead(urgent, { alerts: all })).toEqual([{ id: 2, dueAt: null }]);
    const back = [aMember(1, { away_until: '2027-01-12T03:00:00.000Z' }), ...members.slice(1)];
    expect(choose(urgent, back, { assigneeId: 1 }).ids).toEqual([1]);
  });
});

describe('an owner who turned the alerts off', () => {
  const ownerOff = aMember(2, { role: 'owner', alerts: off });
  const away = aMember(1, { away_until: later, alerts: { immediate: ['urgent', 'approved'] } });

  it('hears nothing for a member who is away, while another owner does', () => {
    const members = [away, ownerOff, aMember(3, { role: 'owner' })];
    expect(choose(ordinary, members, { assigneeId: 1 }).ids).toEqual([3]);
    expect(choose(urgent, members, { assigneeId: 1 }).ids).toEqual([3]);
    expect(choose({ kind: 'reminder', urgent: true }, members, { assigneeId: 1 }).ids).toEqual([3]);
  });

  it('hears what is urgent where nobody else can, and nothing else', () => {
    expect(choose(urgent, [away, ownerOff], { assigneeId: 1 }).members).toEqual([{ id: 2, dueAt: null }]);
    expect(choose(ordinary, [away, ownerOff], { assigneeId: 1 })).toMatchObject({
      ids: [],
      reachesNobody: false,
    });
    expect(choose(urgent, [away, ownerOff], { assigneeId: 1, isReached: true }).ids).toEqual([]);
  });

  it.each([
    ['is unassigned', null, new Set<number>()],
    ['has an assignee who was disabled', 99, new Set<number>()],
    ['has one whose address bounced', 4, new Set([4])],
    ['has one who turned alerts off, too', 5, new Set<number>()],
  ])('hears nothing of a case that %s, while an owner hears some', (_what, assigneeId, unreachable) => {
    const some = { immediate: ['card' as const] };
    const members = [
      ownerOff,
      aMember(3, { role: 'owner', alerts: some }),
      ...[4, 5].map((id) => aMember(id, { alerts: off })),
    ];
    expect(choose(urgent, members, { assigneeId, unreachable }).ids).toEqual([3]);
  });
});

describe('an urgent change that nobody wants to hear', () => {
  const members = [
    aMember(1, { alerts: off }),
    aMember(2, { alerts: { ...off, ...all } }),
    aMember(3, { alerts: { ...off, ...all } }),
    aMember(4, { alerts: off, role: 'owner' }),
  ];
  it.each([
    ['the assignee', [], [1]],
    ['else members with scope all', [1], [2, 3]],
    ['one of whom takes no mail: the others', [1, 2], [3]],
    ['else the owners', [1, 2, 3], [4]],
  ])('reaches %s', (_whom, unreachable, ids) => {
    const choice = choose(urgent, members, { assigneeId: 1, unreachable: new Set(unreachable) });
    expect([choice.ids, choice.reachesNobody]).toEqual([ids, false]);
  });

  it('reaches nobody of the firm where none takes mail, where there is none, and where all are away', () => {
    const everybody = new Set([1, 2, 3, 4]);
    expect(choose(urgent, members, { unreachable: everybody })).toMatchObject({
      ids: [],
      reachesNobody: true,
    });
    expect(choose(urgent, [])).toMatchObject({ ids: [], reachesNobody: true });
    const away = members.map((member) => ({ ...member, away_until: later }));
    expect(choose(urgent, away)).toMatchObject({ ids: [], reachesNobody: true });
  });

  it('goes to nobody else once somebody was told', () => {
    expect(choose(urgent, members, { isReached: true })).toMatchObject({ ids: [], reachesNobody: false });
  });

  it('is the only one that does: another reaches nobody', () => {
    expect(choose(ordinary, members, { assigneeId: 1 })).toMatchObject({ ids: [], reachesNobody: false });
  });
});

describe('quiet hours', () => {
  const quiet = { immediate: ['urgent', 'approved'] as const, quiet_hours: { from: '20:00', to: '07:00' } };
  const alerts = { ...quiet, immediate: [...quiet.immediate] };
  it('hold what is not urgent until they end in the zone of the member, else of the firm', () => {
    const members = [
      aMember(1, { alerts }),
      aMember(2, { alerts, time_zone: 'America/Los_Angeles' }),
      aMember(3, { alerts, time_zone: 'Europe/Madrid' }),
      aMember(4, { alerts, time_zone: 'Asia/Tokyo' }),
    ];
    expect(choose(ordinary, members).members).toEqual([
      { id: 1, dueAt: new Date('2027-01-12T12:00:00Z') },
      { id: 2, dueAt: null },
      { id: 3, dueAt: new Date('2027-01-12T06:00:00Z') },
      { id: 4, dueAt: null },
    ]);
    expect(choose(urgent, members).members.map(({ dueAt }) => dueAt)).toEqual([null, null, null, null]);
    // A reminder reaches somebody in any case, but not at night.
    expect(choose({ kind: 'reminder', urgent: true }, members).members).toEqual(
      choose(ordinary, members).members,
    );
  });
});
