import { describe, expect, it } from '@jest/globals';
import { decideCallback, type Reported } from '../../src/domain/callback.ts';
import { twilioError } from '../../src/domain/classify-twilio.ts';

const sent: Reported = {
  status: 'sent',
  provider_rank: 1,
  provider_message_id: 'SM1',
  sent_at: new Date('2026-11-21T10:00:00.000Z'),
};
const delivered: Reported = { ...sent, status: 'delivered', provider_rank: 4 };

function report(providerStatus: string, errorCode: number | null = null, providerId = 'SM1') {
  return { providerId, providerStatus, failure: { error: twilioError(errorCode) } };
}

describe('a report of the provider', () => {
  it('proves a submission that was never answered', () => {
    const sending: Reported = {
      status: 'sending',
      provider_rank: 0,
      provider_message_id: null,
      sent_at: null,
    };
    expect(decideCallback(sending, report('sent'))).toMatchObject({
      kind: 'change',
      status: 'sent',
      rank: 3,
    });
    expect(decideCallback(sending, report('read'))).toMatchObject({
      kind: 'change',
      status: 'delivered',
      rank: 5,
    });
  });

  it('is only noted where nobody else has to know', () => {
    expect(decideCallback(sent, report('sending'))).toEqual({ kind: 'rank', rank: 2 });
    expect(decideCallback(delivered, report('read'))).toEqual({ kind: 'rank', rank: 5 });
  });

  it.each(['queued', 'sending', 'sent', 'delivered', 'failed', 'undelivered'])(
    'never goes back from delivered: %s',
    (status) => {
      expect(decideCallback(delivered, report(status, 63024))).toEqual({ kind: 'ignore' });
    },
  );

  it('makes sent failed, with its reason', () => {
    expect(decideCallback(sent, report('undelivered', 63024))).toEqual({
      kind: 'change',
      status: 'failed',
      rank: 3,
      last_error: 'twilio_63024: the recipient is not on WhatsApp',
      provider_text: null,
    });
  });

  it('of a failure counts only for the submission that was accepted', () => {
    expect(decideCallback(sent, report('failed', 63018, 'SM2'))).toEqual({ kind: 'ignore' });
  });

  it('does not raise a failed message to sent, but to delivered', () => {
    const failed: Reported = { ...sent, status: 'failed', provider_rank: 3 };
    expect(decideCallback(failed, report('sent'))).toEqual({ kind: 'ignore' });
    expect(decideCallback(failed, report('delivered'))).toMatchObject({
      kind: 'change',
      status: 'delivered',
    });
  });

  it('is nothing to us in other words, or about a skipped message', () => {
    expect(decideCallback(sent, report('received'))).toEqual({ kind: 'ignore' });
    expect(decideCallback({ ...sent, status: 'skipped' }, report('delivered'))).toEqual({ kind: 'ignore' });
  });
});
