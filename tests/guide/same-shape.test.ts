import { describe, expect, it } from '@jest/globals';
import { stepsOf } from './read-guide.ts';
import { differences, textDifferences } from './same-shape.ts';

describe('comparing an answer with the guide', () => {
  it('takes other ids and times, and anything where the guide says so', () => {
    const shown = { id: 4, user_id: 1, at: '2026-11-21 10:00:00', key: 'req_…', more: ['a', '…'], '…': '…' };
    const got = { id: 9, user_id: 7, at: '2027-01-02 03:04:05', key: 'req_x', more: ['a', 'b'], other: 1 };
    expect(differences(shown, got)).toEqual([]);
  });

  it.each([
    ['another value', { code: 'a' }, { code: 'b' }],
    ['another number', { count: 1 }, { count: 2 }],
    ['a field that is missing', { code: 'a', '…': '…' }, { other: 'a' }],
    ['a field that is not shown', { code: 'a' }, { code: 'a', other: 1 }],
    ['another number of elements', ['a'], ['a', 'b']],
    ['too few elements', ['a', 'b', '…'], ['a']],
    ['the other format of times', { at: '2026-11-21 10:00:00' }, { at: '2026-11-21T10:00:00.000Z' }],
    ['no id', { id: 4 }, { id: null }],
    ['another beginning', { key: 'req_…' }, { key: 'evt_1' }],
    ['null for an object', { user: { '…': '…' } }, { user: null }],
  ])('sees %s', (_, shown, got) => {
    expect(differences(shown, got)).toHaveLength(1);
  });

  it('compares text line by line', () => {
    expect(textDifferences('a\nr=…;t=…\n', 'a\nr=5;t=6\n')).toEqual([]);
    expect(textDifferences('a\nb\n', 'a\nc\n')).toHaveLength(1);
  });
});

it('takes only the block that follows directly as the expected one', () => {
  const page =
    '# T\n\n```sh\none\n```\n\nWords.\n\n```json\n{}\n```\n\n```sh\ntwo\n```\n\n```js\nx\n```\n\n```text\ny\n```\n';
  expect(stepsOf(page)).toEqual([
    { line: 3, command: 'one\n', isRun: true, expected: { kind: 'json', text: '{}\n' } },
    { line: 13, command: 'two\n', isRun: true, expected: null },
  ]);
});
