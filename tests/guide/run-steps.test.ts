import { describe, expect, it } from '@jest/globals';
import { runSteps } from './run-steps.ts';

describe("running the guide's blocks", () => {
  it('gives what each printed, in one shell', async () => {
    expect(await runSteps(['A=1', 'echo "$A"', 'f() { echo 2; }\nf'], '/tmp')).toEqual(['', '1\n', '2\n']);
  });

  it.each([
    ['fails', 'false'],
    ['fails within a pipe', 'false | cat'],
    ['uses a variable that nobody set', 'echo "$NOBODY_SET_THIS"'],
  ])('says which block it was that %s', async (_, command) => {
    await expect(runSteps(['echo one', command, 'echo three'], '/tmp')).rejects.toThrow('block 2 of 3');
  });
});
