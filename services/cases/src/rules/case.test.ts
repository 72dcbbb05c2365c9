import { userCaseId } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { idOfCaseRef } from './case.ts';

describe('the two names of a case', () => {
  it.each([
    [1, 'FLOW0000001'],
    [1_234_567, 'FLOW1234567'],
    [123_456_789, 'FLOW123456789'],
    [Number.MAX_SAFE_INTEGER, 'FLOW9007199254740991'],
  ])('calls %s %s, and finds it by either', (id, reference) => {
    expect(userCaseId(id)).toBe(reference);
    expect(idOfCaseRef(reference)).toBe(id);
    expect(idOfCaseRef(String(id))).toBe(id);
  });

  it.each(['FLOW00000001', 'FLOW0000000', '9007199254740993', 'FLOW9007199254740993'])(
    'knows no case called %s',
    (reference) => {
      expect(idOfCaseRef(reference)).toBeNull();
    },
  );
});
