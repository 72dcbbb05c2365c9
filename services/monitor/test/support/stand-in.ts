import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '@casewatch/sandbox';
import { spawnProgram } from '@casewatch/testing';

/** The government's stand-in: where it is, and what it takes. */
export type StandIn = Pick<Sandbox, 'uscis_url' | 'uscis_client_id' | 'uscis_client_secret' | 'stop'>;

const rate = 1_000;
const quota = 1_000_000;

/** In this process. */
export function startStandIn(): Promise<StandIn> {
  return startSandbox({ uscisLimits: { rate_per_second: rate, daily_quota: quota, hours: null } });
}

const main = fileURLToPath(new URL('../../../../tools/sandbox/src/main.ts', import.meta.url));

/** The settings of a monitor that asks it. */
export function settingsOf({ uscis_url, uscis_client_id, uscis_client_secret }: StandIn) {
  return {
    USCIS_TOKEN_URL: `${uscis_url}/oauth/accesstoken`,
    USCIS_API_URL: `${uscis_url}/case-status`,
    USCIS_CLIENT_ID: uscis_client_id,
    USCIS_CLIENT_SECRET: uscis_client_secret,
    USCIS_DEMO_ID: '',
  };
}

/** In a process of its own: what it says of the distance between requests is not held up by the test. */
export async function startStandInApart(): Promise<StandIn> {
  const keys = { USCIS_CLIENT_ID: 'an id', USCIS_CLIENT_SECRET: 'a secret' };
  const ports = ['MAIL_PORT', 'SMTP_PORT', 'USCIS_PORT', 'TWILIO_PORT', 'RECEIVER_PORT'];
  const env = {
    ...keys,
    ...Object.fromEntries(ports.map((name) => [name, '0'])),
    SANDBOX_RATE_PER_SECOND: String(rate),
    SANDBOX_DAILY_QUOTA: String(quota),
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: 'a token',
  };
  const { child, end } = spawnProgram(main, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('the stand-in has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    const { uscis_url } = JSON.parse(line) as { uscis_url: string };
    return {
      uscis_url,
      uscis_client_id: keys.USCIS_CLIENT_ID,
      uscis_client_secret: keys.USCIS_CLIENT_SECRET,
      stop: () => end('SIGTERM'),
    };
  }
  throw new Error(`the stand-in ended with code ${child.exitCode}`);
}
