import { createMac } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import {
  alertsOffToken,
  readAlertsOffToken,
  readUnsubscribeToken,
  unsubscribeToken,
} from '../../src/domain/unsubscribe-token.ts';

const key = createMac(['a-key-of-a-test-that-is-long-enough'], 'links');
const anotherKey = createMac(['another-key-that-is-long-enough'], 'links');
const token = unsubscribeToken(key, 12, 'email');
const signature = token.slice('12.email.'.length);

/** The same 16 bytes spelled otherwise: the last letter's lower four bits do not count. */
function respelled(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = letters.indexOf(text.slice(-1));
  return text.slice(0, -1) + letters.charAt(last + 1);
}

describe('an unsubscribe token', () => {
  it.each(['email', 'whatsapp'] as const)('says whose it is and that it is about %s', (channel) => {
    const made = unsubscribeToken(key, 9_007_199_254_740_991, channel);
    expect(readUnsubscribeToken(key, made)).toEqual({ userId: 9_007_199_254_740_991, channel });
  });

  it.each([
    ['of another user', `13.email.${signature}`],
    ['of another channel', `12.whatsapp.${signature}`],
    ['of no channel of ours', `12.post.${signature}`],
    ['of another key', unsubscribeToken(anotherKey, 12, 'email')],
    ['with another spelling of the user', `012.email.${signature}`],
    ['with another spelling of the signature', respelled(token)],
    ['of a user beyond 2^53 - 1', `9007199254740993.email.${signature}`],
    ['cut off', token.slice(0, -1)],
    ['with something behind it', `${token}A`],
    ['with letters of more than one byte', `12.email.${'é'.repeat(22)}`],
    ['that is empty', ''],
  ])('is nothing if it is one %s', (_what, wrong) => {
    expect(wrong).not.toBe(token);
    expect(readUnsubscribeToken(key, wrong)).toBeNull();
  });
});

describe('a token that turns off the mails to a member', () => {
  const ofMember = alertsOffToken(key, 12);
  const itsSignature = ofMember.slice('staff.12.'.length);

  it('says whose it is', () => {
    expect(readAlertsOffToken(key, alertsOffToken(key, 9_007_199_254_740_991))).toBe(9_007_199_254_740_991);
  });

  it.each([
    ['of the user with the same id', token],
    ['with the signature of that user', `staff.12.${signature}`],
    ['of another member', `staff.13.${itsSignature}`],
    ['of another key', alertsOffToken(anotherKey, 12)],
    ['with another spelling of the member', `staff.012.${itsSignature}`],
    ['with another spelling of the signature', respelled(ofMember)],
    ['of a member beyond 2^53 - 1', `staff.9007199254740993.${itsSignature}`],
    ['cut off', ofMember.slice(0, -1)],
    ['with something behind it', `${ofMember}A`],
    ['that is empty', ''],
  ])('is nothing if it is one %s', (_what, wrong) => {
    expect(wrong).not.toBe(ofMember);
    expect(readAlertsOffToken(key, wrong)).toBeNull();
  });

  it.each([ofMember, `12.email.${itsSignature}`, `12.staff.${itsSignature}`])(
    'is no token of the user with the same id: %s',
    (wrong) => {
      expect(readUnsubscribeToken(key, wrong)).toBeNull();
    },
  );
});
