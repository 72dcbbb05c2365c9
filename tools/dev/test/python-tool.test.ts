import { tempFolder } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { findPythonTool, PythonToolUnavailable } from '../src/python-tool.ts';

describe('finding a Python tool', () => {
  it('says plainly that Python is missing, and what to do', async () => {
    const cache = await tempFolder();
    try {
      const found = findPythonTool('schemathesis', {
        env: { PATH: cache.path, CASEWATCH_CACHE: cache.path },
        say: () => {},
        signal: new AbortController().signal,
      });
      const refusal = await found.catch((err: unknown) => err);
      expect(refusal).toBeInstanceOf(PythonToolUnavailable);
      expect(refusal).toMatchObject({
        exitCode: 3,
        message: expect.stringMatching(/^Python 3\.10 or newer .* is needed .* Install it/),
      });
    } finally {
      await cache.remove();
    }
  });
});
