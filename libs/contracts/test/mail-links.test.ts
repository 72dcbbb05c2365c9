import { describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '../src/index.ts';

/** Operations that links in mails lead to, with the token in the query. */
const rows = Object.entries<Operation>(operations).filter(
  ([, { page, query }]) => page && query && 'token' in query.shape,
);

describe('a link in a mail', () => {
  it('is one of the five', () => {
    expect(rows.map(([name]) => name).sort()).toEqual([
      'staff_alerts_off',
      'staff_alerts_page',
      'undo_email_change',
      'undo_email_change_page',
      'unsubscribe',
      'unsubscribe_page',
      'verify_email_link',
    ]);
  });

  it.each(rows)('works with what others added to its query: %s', (_name, { query }) => {
    for (const foreign of [{ utm_source: 'x' }, { fbclid: '1', gclid: '2' }, { mc_cid: ['a', 'b'] }])
      expect(query?.parse({ token: 't', ...foreign })).toEqual({ token: 't' });
  });

  it.each(rows)('has no other token than one text: %s', (_name, { query }) => {
    for (const token of [['a', 'b'], '', 'x'.repeat(600)])
      expect(query?.safeParse({ token }).success).toBe(false);
  });
});
