import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casewatch/dev/servers';
import { expect, it } from '@jest/globals';
import { startSandbox } from '../src/index.ts';
import { call } from './support.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ENV = {
  MAIL_PORT: '0',
  SMTP_PORT: '0',
  USCIS_PORT: '0',
  TWILIO_PORT: '0',
  RECEIVER_PORT: '0',
  SANDBOX_DATA: '',
  USCIS_CLIENT_ID: 'client',
  USCIS_CLIENT_SECRET: 'a-secret-for-this-test',
  TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'a-token-for-this-test',
};

const run = (env: Record<string, string>) =>
  spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });

it('prints one line when ready, without secrets, and stops cleanly on SIGTERM while a client hangs', async () => {
  const child = run(ENV);
  const [line] = await once(child.stdout, 'data');
  const ready = JSON.parse(String(line));
  for (const name of ['mail_url', 'uscis_url', 'twilio_url', 'receiver_url']) {
    expect((await call('GET', `${ready[name]}/livez`)).status).toBe(200);
  }
  expect(ready.smtp_url).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
  expect(String(line)).not.toContain('a-secret');
  await call('PUT', `${ready.uscis_url}/sandbox/faults`, { mode: 'hang' });
  const hanging = fetch(`${ready.uscis_url}/case-status/EAC9999103400`).catch((err: unknown) => err);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await hanging).toMatchObject({ name: 'TypeError' });
});

it('names every fault of the environment together and exits with 1', async () => {
  const child = run({ ...ENV, MAIL_PORT: 'many', TWILIO_ACCOUNT_SID: 'SK1', TWILIO_AUTH_TOKEN: '' });
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  for (const name of ['MAIL_PORT', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'])
    expect(complaint).toContain(name);
});

it('names the stand-in whose port is taken and leaves nothing listening', async () => {
  // Not a port that the system chose: a connection of another process could take it between the two.
  const taken = await freePort();
  const first = await startSandbox({ receiverPort: taken });
  await expect(startSandbox({ receiverPort: taken })).rejects.toThrow(
    /webhook receiver cannot listen.*EADDRINUSE/,
  );
  await first.stop();
  const second = await startSandbox({ receiverPort: taken });
  expect(second.receiver_url).toBe(first.receiver_url);
  await second.stop();
});
