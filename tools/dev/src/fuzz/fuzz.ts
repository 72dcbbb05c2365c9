import { type StdioOptions, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DevFile } from '@casewatch/driver';
import { ROOT } from '../options.ts';
import { configOfRun } from './config-of-run.ts';
import { errorOfEnding, fuzzedPerson, refusalOf } from './fuzzed-person.ts';

const MAX_RUN_MS = 30 * 60_000;

type FuzzOptions = {
  dev: DevFile;
  program: string;
  options: string[];
  say: (line: string) => void;
  signal: AbortSignal;
};

/**
 * Tests the whole document twice: as a person, and as that person's partner.
 * @returns whether both runs passed
 */
export async function fuzz(options: FuzzOptions): Promise<boolean> {
  const { dev, say, signal } = options;
  const person = await fuzzedPerson(dev, signal);
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-fuzz-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const rules = await readFile(join(ROOT, 'tools/dev/schemathesis.toml'), 'utf8');
  const knownValues = {
    'path.user_id': [person.id],
    'path.case_ref': person.cases,
    'body.phone': ['+12025550123', '+5511961234567'],
    'body.url': [`${dev.receiver_url}/hooks/fuzz`],
  };
  const run = async (headers: Record<string, string>): Promise<boolean> => {
    signal.throwIfAborted();
    await writeFile(configIn(folder), rules + configOfRun(headers, knownValues), { mode: 0o600 });
    return (await runOnce(options, folder)) === 0;
  };

  const failed: string[] = [];
  say('\nAs a person, with a bearer token …');
  if (!(await run({ Authorization: `Bearer ${person.token}` }))) failed.push('as a person');
  const refusal = await refusalOf(dev, person);
  if (refusal) failed.push(`the person's token ended on the way (${refusal}), so that little was tested`);
  say('\nAs a partner, with its pair of keys …');
  const { api_key, api_secret } = dev.partner;
  // Spelled as in the document: schemathesis omits these headers when it tests requests without credentials.
  if (!(await run({ 'X-API-KEY': api_key, 'X-API-SECRET': api_secret }))) failed.push('as a partner');
  const endingErrors = [
    await errorOfEnding(dev, await fuzzedPerson(dev, signal), 'deleting oneself'),
    await errorOfEnding(dev, await fuzzedPerson(dev, signal), 'logging out'),
  ];
  failed.push(...endingErrors.filter((fault) => fault !== undefined));
  say(failed.length === 0 ? '\nBoth runs found nothing.' : `\nFailures: ${failed.join('; ')}.`);
  return failed.length === 0;
}

function configIn(folder: string): string {
  return join(folder, 'schemathesis.toml');
}

function runOnce({ dev, program, options, signal }: FuzzOptions, folder: string): Promise<number | null> {
  const args = [
    ...['--config-file', configIn(folder), 'run', `${dev.gateway_url}/openapi.json`],
    ...['--url', dev.gateway_url, ...options],
  ];
  // Schemathesis writes .hypothesis and .schemathesis into its working folder.
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit'];
  const child = spawn(program, args, { cwd: folder, stdio, signal, timeout: MAX_RUN_MS });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}
