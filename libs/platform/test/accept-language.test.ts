import { preferredLanguage } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

describe('the language of a caller', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['es', 'es'],
    ['PT-br', 'pt'],
    ['fr, pt-BR;q=0.9, es;q=0.8', 'pt'],
    ['en;q=0.3, es;q=0.7', 'es'],
    ['es;q=0, fr', 'en'],
    ['es;q=much', 'en'],
    ['es , pt', 'es'],
    ['*', 'en'],
    ['fr-CH, de', 'en'],
  ])('reads %s as %s', (header, expected) => {
    expect(preferredLanguage(header)).toBe(expected);
  });
});
