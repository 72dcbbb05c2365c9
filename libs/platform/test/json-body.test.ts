import { parseStrictly } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

const parse = (text: string) => parseStrictly(Buffer.from(text));

describe('a JSON body', () => {
  it.each([
    ['an object', '{"a":1,"b":{"a":[{"a":"x"},{"a":"y"}]}}'],
    ['the same text as key and value', '{"a":"a","b":"a"}'],
    ['escapes and emoji', '{"a":"\\"{,\\u00e9\\ud83d\\ude00","é":"😀"}'],
  ])('is read where it is %s', (_what, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['a key twice', '{"a":1,"a":2}'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a key twice deep inside', '{"x":[{"y":{"a":1,"b":[],"a":2}}]}'],
    ['an unpaired surrogate', '{"a":"\\ud800"}'],
    ['an unpaired surrogate in a key', '{"\\udc00":1}'],
    ['an array', '[1]'],
    ['a bare string', '"a"'],
    ['null', 'null'],
    ['half a document', '{"a":'],
  ])('is refused where it is %s', (_what, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'malformed_json' }));
  });

  it('is refused where it is not UTF-8', () => {
    expect(() => parseStrictly(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(
      expect.objectContaining({ code: 'malformed_json' }),
    );
  });

  it('leaves __proto__ an ordinary key, which schemas then refuse', () => {
    expect(Object.keys(parse('{"__proto__":{"a":1}}') as object)).toEqual(['__proto__']);
  });
});
