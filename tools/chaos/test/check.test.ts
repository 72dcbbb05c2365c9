import { describe, expect, it } from '@jest/globals';
import {
  busySeconds,
  type ImportRead,
  isSurelySeen,
  judgeCall,
  judgeImport,
  limitHere,
  longestGap,
  updatesIn,
} from '../src/check.ts';
import { type FailedCall, type FaultRecord, newLedgers, stepIn, titleOf } from '../src/ledgers.ts';

const began = 1_000_000;

function verdictOn(
  call: Partial<FailedCall>,
  { fault, lateMs = 0 }: { fault?: string; lateMs?: number } = {},
) {
  const ledgers = newLedgers();
  const record: FaultRecord = {
    number: 1,
    kind: '',
    targets: [fault ?? ''],
    startedAt: began,
    healedAt: began,
  };
  if (fault !== undefined) ledgers.faults.push(record);
  ledgers.noise.push({ at: began, ms: lateMs });
  const found: string[] = [];
  judgeCall(
    {
      ...{ what: 'read case', startedAt: began, ms: 100, status: 503, code: 'service_unavailable' },
      ...{ hasRetryAfter: true, limitMs: 2_500, ...call },
    },
    ledgers,
    (_promise, text) => found.push(text),
  );
  return found;
}

describe('an answer that is no 2xx', () => {
  it.each<[string, Partial<FailedCall>, Parameters<typeof verdictOn>[1]]>([
    ['503 with Retry-After in time', {}, {}],
    ['429', { status: 429, code: 'rate_limited' }, {}],
    ['503 just within the time and what is added to it', { ms: 3_500 }, {}],
    ['503 later, on a machine that was as late', { ms: 4_500 }, { lateMs: 300 }],
    ['503 much later while a gateway was hit', { ms: 20_000 }, { fault: 'gateway-1' }],
    ['no answer while a gateway was hit', { status: 0 }, { fault: 'gateway-0' }],
    ['no answer while everything was hit', { status: 0 }, { fault: '*' }],
  ])('is honest: %s', (_what, call, around) => {
    expect(verdictOn(call, around)).toEqual([]);
  });

  it.each<[string, Partial<FailedCall>, Parameters<typeof verdictOn>[1]]>([
    ['no answer', { status: 0 }, {}],
    ['no answer while only a service was hit', { status: 0 }, { fault: 'cases-0' }],
    ['500', { status: 500 }, {}],
    ['502 also while a gateway was hit', { status: 502 }, { fault: 'gateway-0' }],
    ['504', { status: 504 }, {}],
    ['503 without Retry-After', { hasRetryAfter: false }, {}],
    ['503 after the time', { ms: 3_501 }, {}],
    ['401 with keys that are right', { status: 401, code: 'invalid_api_key' }, {}],
    ['404', { status: 404, code: 'user_not_found' }, {}],
  ])('is a violation: %s', (_what, call, around) => {
    expect(verdictOn(call, around)).toHaveLength(1);
  });
});

it('a change was surely seen where two answers without a fault showed it, apart from one another', () => {
  const served = (...list: [at: number, isClean: boolean][]) =>
    isSurelySeen(list.map(([at, isClean]) => ({ at, isClean })));
  expect(served()).toBe(false);
  expect(served([0, true])).toBe(false);
  expect(served([0, true], [250, true])).toBe(false);
  expect(served([0, true], [400, false])).toBe(false);
  expect(served([0, true], [100, false], [251, true])).toBe(true);
});

it('a second with more requests than USCIS allows is found, wherever it begins', () => {
  const at = (...times: number[]) => times.map((monotonic_ms) => ({ time: 't', monotonic_ms }));
  expect(busySeconds(at(0, 500, 1_000, 1_500), 2)).toEqual([]);
  // Four are allowed: two, and two that came late.
  expect(busySeconds(at(0, 700, 800, 900, 1_000), 2)).toEqual([]);
  expect(busySeconds(at(0, 700, 800, 900, 999), 2)).toHaveLength(1);
  expect(busySeconds(at(0, 1_700, 1_800, 1_900, 2_000, 2_100), 2)).toHaveLength(1);
});

it('a text tells of the newest step that it names', () => {
  expect(stepIn(`Before: ${titleOf(9)}\nNow: ${titleOf(10)}`)).toBe(10);
  expect(stepIn(`{"1":"${titleOf(7)}"}`)).toBe(7);
  expect(stepIn('Case Was Received')).toBeUndefined();
});

it('a mail tells each update that it lists, of its case, and not what stood before', () => {
  const item = (id: string, before: number, now: number) =>
    `* Case with receipt number EAC••••••7919 (reference ${id})\nWe saw this change on 3 May.\n\nWhat changed:\nBefore: Step ${before} Was Taken\nNow: Step ${now} Was Taken\n\nWhat this means:\n…`;
  expect(updatesIn(item('FLOW0000012', 3, 9))).toEqual(['12 9']);
  expect(
    updatesIn(`${item('FLOW0000012', 3, 9)}\n\n${item('FLOW0000012', 1, 3)}\n\n${item('FLOW0000007', 2, 4)}`),
  ).toEqual(['12 9', '12 3', '7 4']);
  expect(updatesIn('Your code is 123456 (reference FLOW0000012)')).toEqual([]);
});

it('a time limit grows by what a bare server of the machine is late', () => {
  const ledgers = newLedgers();
  expect(limitHere(120_000, ledgers, began)).toBe(120_000);
  ledgers.noise.push(
    { at: began - 1, ms: 9_000 },
    { at: began, ms: 2 },
    { at: began, ms: 3 },
    { at: began, ms: 800 },
  );
  expect(limitHere(120_000, ledgers, began)).toBe(120_300);
});

it('finds the longest time without a request, also at the beginning and at the end', () => {
  expect(longestGap([1_000, 1_500, 4_600, 5_000], 1_200, 5_500)).toBe(3_100);
  expect(longestGap([1_000, 1_500], 1_200, 9_500)).toBe(8_000);
  expect(longestGap([8_000], 1_000, 8_500)).toBe(7_000);
  expect(longestGap([], 1_000, 8_500)).toBe(7_500);
});

describe('an import', () => {
  const rows = [
    { receipt: 'EAC1', email: 'a@example.com', isGood: true },
    { receipt: 'EAC2', email: 'a@example.com', isGood: true },
    { receipt: 'EAC3', email: 'b@example.com', isGood: false },
  ];
  const counts = { rows: 3, waiting: 0, created: 2, updated: 0, unchanged: 0, refused: 1 };
  const [one, two] = [
    { row: 1, outcome: 'created', case_ref: 'FLOW1' },
    { row: 2, outcome: 'created', case_ref: 'FLOW2' },
  ];
  const refused = { row: 3, outcome: 'refused', case_ref: null };
  const right: ImportRead = {
    state: 'done',
    counts,
    rows: [one, two, refused],
    cases: new Map([
      ['EAC1', ['FLOW1']],
      ['EAC2', ['FLOW2']],
      ['EAC3', []],
    ]),
    people: new Map([
      ['a@example.com', 1],
      ['b@example.com', 0],
    ]),
  };
  const verdictOn = (read: Partial<ImportRead>) => {
    const found: string[] = [];
    judgeImport({ id: 7, partner: 0, rows }, { ...right, ...read }, (promise, text) =>
      found.push(`${promise} ${text}`),
    );
    return found;
  };
  const casesWith = (receipt: string, refs: string[]) => new Map([...right.cases, [receipt, refs]]);

  it('is as it was answered', () => {
    expect(verdictOn({})).toEqual([]);
  });

  it.each<[string, Partial<ImportRead>, string]>([
    ['has not ended', { state: 'running' }, 'I6 import 7 is running at rest'],
    ['counts a row twice', { counts: { ...counts, created: 3 } }, 'I6 import 7 has 3 created, not 2'],
    ['lost a row', { rows: [one, refused] }, 'I6 row 2 of import 7 is gone, not created'],
    [
      'has a row twice',
      { rows: [one, one, two, refused] },
      'I6 row 1 of import 7 is created, created, not created',
    ],
    [
      'made two cases for a row',
      { cases: casesWith('EAC1', ['FLOW1', 'FLOW9']) },
      'I6 row 1 of import 7 says case FLOW1, there is FLOW1, FLOW9',
    ],
    [
      'made no case for a row',
      { cases: casesWith('EAC2', []) },
      'I6 row 2 of import 7 says case FLOW2, there is none',
    ],
    [
      'made a case for a refused row',
      { cases: casesWith('EAC3', ['FLOW3']) },
      'I6 row 3 of import 7 says case none, there is FLOW3',
    ],
    [
      'made a person twice',
      { people: new Map([...right.people, ['a@example.com', 2]]) },
      'I6 import 7 made 2 people for an address, not 1',
    ],
    [
      'made a person for a refused row',
      { people: new Map([...right.people, ['b@example.com', 1]]) },
      'I6 import 7 made 1 people for an address, not 0',
    ],
  ])('is a violation: it %s', (_what, read, text) => {
    expect(verdictOn(read)).toContain(text);
  });
});
