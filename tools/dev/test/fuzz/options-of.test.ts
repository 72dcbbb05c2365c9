import { describe, expect, it } from '@jest/globals';
import { optionsOf } from '../../src/fuzz/config-of-run.ts';

describe('the options of a fuzz run', () => {
  it('go on as they are', () => {
    expect(optionsOf(['--max-examples', '5'])).toEqual(['--max-examples', '5']);
  });

  it('ask for little in the short form; options beside it apply', () => {
    const options = optionsOf(['--short', '--max-examples', '5']);
    expect(options).not.toContain('--short');
    expect(options.slice(-2)).toEqual(['--max-examples', '5']);
    expect(options.indexOf('--max-examples')).toBeLessThan(options.length - 2);
  });
});
