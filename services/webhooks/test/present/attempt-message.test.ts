import { describe, expect, it } from '@jest/globals';
import { attemptMessage } from '../../src/present/attempt-message.ts';

const attempt = { status: null, ms: 15_000, location: null };

describe('the sentence of a failed attempt', () => {
  it.each([
    [{ ...attempt, error: 'timeout' }, 'No answer in 15,000 ms.'],
    [
      { ...attempt, error: 'tls_error', cause: 'certificate is for other.example' },
      'TLS: certificate is for other.example.',
    ],
    [{ ...attempt, error: 'tls_error' }, 'TLS: the handshake failed.'],
    [{ ...attempt, error: 'http_429', status: 429 }, 'The endpoint answered 429 Too Many Requests.'],
    [{ ...attempt, error: 'http_599', status: 599 }, 'The endpoint answered 599.'],
    [{ ...attempt, error: 'redirect_not_followed', status: 301 }, 'Redirect (301) without a Location.'],
    [{ ...attempt, error: 'connect_timeout', ms: 5_004 }, 'No connection in 5,004 ms.'],
    [{ ...attempt, error: null, status: 200 }, null],
  ])('%j', (failed, sentence) => {
    expect(attemptMessage(failed)).toBe(sentence);
  });
});
