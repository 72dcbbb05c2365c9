import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineCommand, operatorProgram } from '../src/process/operator-commands.ts';

const command = (words: string, form: string) =>
  defineCommand({ words, form, options: z.strictObject({}), run: async () => ({ json: {}, lines: [] }) });

/** Needs a database, which is not there. */
const program = operatorProgram({
  name: 'shop',
  commands: [command('open', '--door 1'), command('close', '')],
  withContext: () => Promise.reject(new Error('no database')),
});

async function call(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const output = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  return { code: await program(args, {}, output), out, err };
}

describe('a program of commands that is asked for help', () => {
  const [open, close] = [
    '  npm run admin -- shop open --door 1 [--json]',
    '  npm run admin -- shop close [--json]',
  ];

  it.each([
    [['--help'], [open, close]],
    [
      ['shop', '--help'],
      [open, close],
    ],
    [
      ['shop', 'none', '--help'],
      [open, close],
    ],
    [['shop', 'open', '--help'], [open]],
    [['-h'], [open, close]],
  ])('prints the usage, and no error: %j', async (args, forms) => {
    expect(await call(...args)).toEqual({ code: 0, out: ['Usage:', ...forms], err: [] });
  });
});
