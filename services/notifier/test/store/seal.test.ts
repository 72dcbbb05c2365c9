import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSeal } from '../../src/store/seal.ts';

describe('a sealed text', () => {
  it.each([randomBytes(32).toString('base64'), 'any secret that is long enough to be one'])(
    'opens with its key and row alone (%#)',
    (secret) => {
      const seal = createSeal(secret);
      const sealed = seal.close('042137', 'row-1');
      expect(sealed).not.toBe(seal.close('042137', 'row-1'));
      expect(createSeal(secret).open(sealed, 'row-1')).toBe('042137');
      expect(() => seal.open(sealed, 'row-2')).toThrow();
      expect(() => createSeal(`${secret}x`).open(sealed, 'row-1')).toThrow();
    },
  );
});
