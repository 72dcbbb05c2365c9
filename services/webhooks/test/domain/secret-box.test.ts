import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from '../../src/domain/secret-box.ts';

const box = createSecretBox(randomBytes(32), randomBytes);

describe('the secret box', () => {
  it('opens what it sealed, and never seals alike', () => {
    const sealed = box.seal('geheim ñ', 'a');
    expect(box.open(sealed, 'a')).toBe('geheim ñ');
    expect(sealed).not.toBe(box.seal('geheim ñ', 'a'));
  });

  it('does not open what was moved, changed, or sealed with another key', () => {
    const sealed = box.seal('text', 'a');
    const changed = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'Q' : 'A'}`;
    expect(() => box.open(sealed, 'b')).toThrow();
    expect(() => box.open(changed, 'a')).toThrow();
    expect(() => createSecretBox(randomBytes(32), randomBytes).open(sealed, 'a')).toThrow();
  });
});
