import { describe, expect, it } from '@jest/globals';
import { afterAttempt } from '../../src/domain/after-attempt.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const inMs = (seconds: number) => seconds * 1_000;
/** A draw of one half: no jitter. */
const plain = { now, scale: 1, random: 0.5 };
const transient = { kind: 'transient', error: 'smtp_451: later', counts: true } as const;
const ambiguous = { kind: 'ambiguous', error: 'lost' } as const;

describe('what follows an attempt', () => {
  it('is sent, with the moment and the provider’s id, once it is accepted', () => {
    const outcome = { kind: 'accepted', provider_message_id: 'SM1' } as const;
    expect(afterAttempt(outcome, { ...plain, channel: 'whatsapp', attempts: 2 })).toEqual({
      status: 'sent',
      attempts: 2,
      last_error: null,
      provider_text: null,
      dueInMs: null,
      ambiguous: false,
      sent_at: now,
      provider_message_id: 'SM1',
      provider_rank: 1,
    });
  });

  it.each([
    ['email', [30, 120, 600, 1_800, 3_600, 10_800, 28_800]],
    ['whatsapp', [30, 120, 600, 3_600, 14_400]],
  ] as const)('waits longer after each failed try on %s, and then gives up', (channel, delays) => {
    for (const [i, seconds] of delays.entries()) {
      const after = afterAttempt(transient, { ...plain, channel, attempts: i + 1 });
      expect(after).toMatchObject({
        status: 'pending',
        attempts: i + 1,
        dueInMs: inMs(seconds),
      });
    }
    const last = afterAttempt(transient, { ...plain, channel, attempts: delays.length + 1 });
    expect(last).toMatchObject({ status: 'failed', dueInMs: null, last_error: transient.error });
  });

  it('spreads delays by a fifth either way, and scales them', () => {
    const attempt = { now, channel: 'email', attempts: 1 } as const;
    expect(afterAttempt(transient, { ...attempt, scale: 1, random: 0 }).dueInMs).toEqual(inMs(24));
    expect(afterAttempt(transient, { ...attempt, scale: 1, random: 0.999_999 }).dueInMs).toEqual(inMs(36));
    expect(afterAttempt(transient, { ...attempt, scale: 0.1, random: 0.5 }).dueInMs).toEqual(inMs(3));
  });

  it('is the end where the recipient or the content is refused', () => {
    const after = afterAttempt(
      { kind: 'permanent', error: 'no' },
      { ...plain, channel: 'email', attempts: 1 },
    );
    expect(after).toMatchObject({ status: 'failed', attempts: 1, last_error: 'no', dueInMs: null });
  });

  it.each([
    [{ kind: 'configuration', error: 'ours' } as const],
    [{ kind: 'transient', error: 'busy', counts: false } as const],
  ])('costs no attempt if nothing was sent: %j', (outcome) => {
    const after = afterAttempt(outcome, { ...plain, channel: 'whatsapp', attempts: 1 });
    expect(after).toMatchObject({ status: 'pending', attempts: 0, last_error: outcome.error });
  });

  it('leaves a message that waited for its turn as it was, due immediately', () => {
    const before = { last_error: 'smtp_451: later', provider_text: 'busy' };
    const held = { kind: 'held', error: 'smtp_turn: the mails before this one took too long' } as const;
    for (const attempts of [1, 3]) {
      const after = afterAttempt(held, { ...plain, before, channel: 'email', attempts });
      expect(after).toEqual({
        ...before,
        status: 'pending',
        attempts: attempts - 1,
        dueInMs: 0,
        ambiguous: false,
      });
    }
    expect(afterAttempt(held, { ...plain, channel: 'email', attempts: 8 })).toMatchObject({
      last_error: null,
    });
  });

  it('waits for the callback before an ambiguous WhatsApp message is looked for, also after the last try', () => {
    for (const attempts of [1, 6]) {
      const after = afterAttempt(ambiguous, { ...plain, channel: 'whatsapp', attempts });
      expect(after).toMatchObject({ status: 'pending', ambiguous: true, dueInMs: inMs(90) });
    }
  });

  it('goes the ordinary way with an ambiguous mail', () => {
    const first = afterAttempt(ambiguous, { ...plain, channel: 'email', attempts: 1 });
    expect(first).toMatchObject({ status: 'pending', ambiguous: true, dueInMs: inMs(30) });
    expect(afterAttempt(ambiguous, { ...plain, channel: 'email', attempts: 8 }).status).toBe('failed');
  });
});
