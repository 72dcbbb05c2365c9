import { describe, expect, it } from '@jest/globals';
import { isAlreadyPublished, isOver } from '../../src/domain/suppression.ts';
import { aUser } from '../support/fixtures.ts';

const at = new Date('2026-11-21T10:00:00.000Z');
const before = '2026-11-21T09:59:59.999Z';
const after = '2026-11-21T10:00:00.001Z';
const suppression = { at, user_version: 4 };

describe('a suppression', () => {
  it('applies while identity does not know of it: the flag is on, and the user has not changed since', () => {
    for (const updated_at of [before, at.toISOString()])
      expect(isOver(suppression, aUser(1, { updated_at }), 'email')).toBe(false);
  });

  it('applies while the flag is off, whatever else has changed', () => {
    const user = aUser(1, { updated_at: after, notify_by_email: false });
    expect(isOver(suppression, user, 'email')).toBe(false);
  });

  it('is over when the flag is on in a user who changed since; each channel has its own', () => {
    const user = aUser(1, { updated_at: after, notify_by_whatsapp: false });
    expect(isOver(suppression, user, 'email')).toBe(true);
    expect(isOver(suppression, user, 'whatsapp')).toBe(false);
  });
});

describe('unsubscribing again', () => {
  it.each([
    ['is nothing new while the event is under way', 4, true, true],
    ['is nothing new after the event, which is one change', 5, false, true],
    ['is nothing new where the flag was off already', 4, false, true],
    ['is said again when the flag is on after a change', 5, true, false],
    ['is said again when the person opted in', 6, true, false],
    ['is said again when the flag is off, but by other hands perhaps', 7, false, false],
  ])('%s', (_what, version, notify_by_email, expected) => {
    expect(isAlreadyPublished(suppression, aUser(1, { version, notify_by_email }), 'email')).toBe(expected);
  });

  it('is said again when identity did not answer the first time', () => {
    expect(isAlreadyPublished({ at, user_version: null }, aUser(1), 'email')).toBe(false);
  });
});
