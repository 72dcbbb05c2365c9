import { describe, expect, it } from '@jest/globals';
import { neighboursOf, receiptHasher } from '../../src/callers/record-caller.ts';
import { callerName, sharesOf } from '../../src/domain/shares.ts';

const settings = {
  USCIS_DAILY_BUDGET: 10_000,
  MONITOR_PARTNER_SHARE: 0.05,
  MONITOR_DIRECT_USER_CHECKS: 20,
  MONITOR_DIRECT_SHARE: 0.1,
};

describe('callers’ shares', () => {
  it.each([
    ['a partner', { partner_id: 3, user_id: null }, [{ account: 'partner/3', limit: 500 }]],
    ['a partner’s user', { partner_id: 3, user_id: 7 }, [{ account: 'partner/3', limit: 500 }]],
    [
      'a direct user',
      { partner_id: null, user_id: 7 },
      [
        { account: 'user/7', limit: 20 },
        { account: 'direct', limit: 1_000 },
      ],
    ],
  ])('of %s', (_who, caller, shares) => {
    expect(sharesOf(caller, settings, null)).toEqual(shares);
  });

  it('are a partner’s own number where it has one', () => {
    expect(sharesOf({ partner_id: 3, user_id: null }, settings, 7)).toEqual([
      { account: 'partner/3', limit: 7 },
    ]);
  });

  it('name callers by their ids', () => {
    expect(callerName({ partner_id: 3, user_id: 7 })).toBe('partner/3/user/7');
    expect(callerName({ partner_id: null, user_id: 7 })).toBe('user/7');
  });
});

describe('neighbouring receipt numbers', () => {
  it('stand before and after, within their ten digits', () => {
    expect(neighboursOf('IOE0000000001', 2)).toEqual(['IOE0000000000', 'IOE0000000002', 'IOE0000000003']);
    expect(neighboursOf('EAC9999999999', 1)).toEqual(['EAC9999999998']);
  });

  it('cannot be told from their hashes without the key', () => {
    const [hash, other] = [receiptHasher('a secret'), receiptHasher('another')];
    expect(hash('EAC9999999999')).toBe(hash('EAC9999999999'));
    expect(hash('EAC9999999999')).toMatch(/^[0-9a-f]{64}$/);
    expect(other('EAC9999999999')).not.toBe(hash('EAC9999999999'));
  });
});
