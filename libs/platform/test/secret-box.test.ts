import { createSecretBox } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

const first = 'the-first-secret-of-a-test-32-chars';
const second = 'the-second-secret-of-a-test-32-char';
const box = createSecretBox([first], 'a test');

describe('a secret box', () => {
  it('opens what it sealed, and never seals alike', () => {
    const sealed = box.seal('secreto ñ', 'row-1');
    expect(box.open(sealed, 'row-1')).toBe('secreto ñ');
    expect(sealed).not.toBe(box.seal('secreto ñ', 'row-1'));
  });

  it('opens nothing that was moved, changed, sealed for another purpose or with another secret', () => {
    const sealed = box.seal('text', 'row-1');
    const end = sealed.endsWith('A') ? 'Q' : 'A';
    expect(() => box.open(sealed, 'row-2')).toThrow();
    expect(() => box.open(sealed.slice(0, -1) + end, 'row-1')).toThrow();
    expect(() => box.open('text', 'row-1')).toThrow('not in the ring');
    expect(() => createSecretBox([first], 'another').open(sealed, 'row-1')).toThrow('not in the ring');
    expect(() => createSecretBox([second], 'a test').open(sealed, 'row-1')).toThrow('not in the ring');
  });

  it('still opens what a former secret sealed, and seals with the current one', () => {
    const sealed = box.seal('text', 'row-1');
    const rotated = createSecretBox([second, first], 'a test');
    expect(rotated.open(sealed, 'row-1')).toBe('text');
    expect(rotated.prefixes).toEqual([rotated.currentPrefix, box.currentPrefix]);
    expect(sealed.startsWith(box.currentPrefix)).toBe(true);
    expect(createSecretBox([second], 'a test').open(rotated.seal('new', 'row-1'), 'row-1')).toBe('new');
  });
});
