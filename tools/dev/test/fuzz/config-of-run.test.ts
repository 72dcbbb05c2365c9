import { describe, expect, it } from '@jest/globals';
import { configOfRun } from '../../src/fuzz/config-of-run.ts';

describe('the configuration of one fuzz run', () => {
  it('has the credentials, and a dictionary for each place whose values are known', () => {
    const text = configOfRun(
      { 'X-API-KEY': 'a "quoted" key' },
      { 'path.user_id': [4], 'path.case_ref': [7, 'FLOW0000007'] },
    );
    expect(text.trim().split('\n')).toEqual([
      '[headers]',
      'X-API-KEY = "a \\"quoted\\" key"',
      '[dictionaries]',
      'path_user_id = { values = [4] }',
      'path_case_ref = { values = [7,"FLOW0000007"] }',
      '[parameters]',
      '"path.user_id" = { dictionary = "path_user_id", probability = 0.5 }',
      '"path.case_ref" = { dictionary = "path_case_ref", probability = 0.5 }',
    ]);
  });
});
