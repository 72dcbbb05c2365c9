/** Reads its settings, and fails as libraries do that quote them; guard-output.test.ts reads what it prints. */
import { parse } from 'node:url';
import { baseSettings, readConfig, runCommands, runProgram, storeSettings } from '@casewatch/platform';
import { z } from 'zod';

const [kind = '', end = ''] = process.argv.slice(2);
const schema = z.object({ LOG_LEVEL: baseSettings.LOG_LEVEL, ...storeSettings });

function fail(url: string): void {
  // Node.js warns about an address that is none, and quotes it.
  parse(url.replace(/@.*/, ':x@host:y/'));
  process.emitWarning(`cannot use ${url}`, 'DeprecationWarning');
  const error = Object.assign(new Error(`cannot use ${url}`), { input: url, config: { auth: url } });
  if (end === 'rejection') void Promise.reject(error);
  else if (end === 'text') void Promise.reject(url);
  else
    setImmediate(() => {
      throw error;
    });
}

if (kind === 'service')
  await runProgram('cases', async (env) => {
    fail(readConfig(schema, env).MONGODB_URL);
    return await new Promise(() => setTimeout(() => undefined, 60_000));
  });
else
  await runCommands(async (_args, env) => {
    fail(readConfig(schema, env).MONGODB_URL);
    return await new Promise(() => setTimeout(() => undefined, 60_000));
  });
