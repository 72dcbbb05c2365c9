import {
  ApiError,
  type CursorScope,
  createCursors,
  createMac,
  deriveKey,
  keyId,
  keyRingSetting,
} from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

const first = 'the-first-secret-of-a-test-32-chars';
const second = 'the-second-secret-of-a-test-32-char';

describe('a key ring', () => {
  it('is one secret or several with spaces between them', () => {
    expect(keyRingSetting.parse(first)).toEqual([first]);
    expect(keyRingSetting.parse(`${second} ${first}\n`)).toEqual([second, first]);
  });

  it.each(['', ' ', `${first} short`])('is not %j', (text) => {
    expect(keyRingSetting.safeParse(text).success).toBe(false);
  });
});

describe('the id of a key', () => {
  it('is the same for the same purpose and secret alone', () => {
    const id = keyId(deriveKey('a test', first));
    expect(id).toMatch(/^[\w-]{8}$/);
    expect(keyId(deriveKey('a test', first))).toBe(id);
    expect(keyId(deriveKey('another', first))).not.toBe(id);
    expect(keyId(deriveKey('a test', second))).not.toBe(id);
  });
});

describe('a message authentication code', () => {
  it('is verified for its own text, purpose and secrets alone', () => {
    const mac = createMac([first], 'a test');
    const code = mac.sign('text');
    expect(mac.verify('text', code)).toBe(true);
    expect(mac.verify('other', code)).toBe(false);
    expect(mac.verify('text', code.subarray(1))).toBe(false);
    expect(createMac([first], 'another').verify('text', code)).toBe(false);
    expect(createMac([second], 'a test').verify('text', code)).toBe(false);
    expect(createMac([second, first], 'a test').verify('text', code)).toBe(true);
  });
});

describe('a cursor', () => {
  const scope: CursorScope = {
    operation: 'list_cases',
    caller: { kind: 'partner', partner_id: 1, key_id: 'k', scopes: [] },
    filters: {},
    sort: '-created_at',
  };
  const now = () => new Date('2026-11-21T10:00:00Z');

  it('outlives a rotation of the secret, and ends when the former one is dropped', () => {
    const cursor = createCursors([first], now).encode(scope, ['2026-11-20', 7]);
    expect(createCursors([second, first], now).decode(scope, cursor)).toEqual(['2026-11-20', 7]);
    expect(() => createCursors([second], now).decode(scope, cursor)).toThrow(ApiError);
  });
});
