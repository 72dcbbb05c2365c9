import { tempFolder } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { findSchemathesis, SchemathesisUnavailable } from '../../src/fuzz/schemathesis.ts';

describe('finding schemathesis', () => {
  it('says plainly that Python is missing, and what to do', async () => {
    const cache = await tempFolder();
    try {
      const found = findSchemathesis({
        env: { PATH: cache.path, CASEWATCH_CACHE: cache.path },
        say: () => {},
        signal: new AbortController().signal,
      });
      const refusal = await found.catch((err: unknown) => err);
      expect(refusal).toBeInstanceOf(SchemathesisUnavailable);
      expect(refusal).toMatchObject({
        exitCode: 3,
        message: expect.stringMatching(/^Python 3\.10 or newer .* is needed .* Install it/),
      });
    } finally {
      await cache.remove();
    }
  });
});
