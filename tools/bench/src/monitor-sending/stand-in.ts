import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** One row of the stand-in's ledger, the only witness here. */
export type LedgerRow = { time: string; receipt: string; status: number; monotonic_ms: number };

export type StandIn = {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Serves these receipts, and is asked for some, so that its code is compiled before its clock matters. */
  serve(receipts: readonly string[]): Promise<void>;
  ledger(): Promise<LedgerRow[]>;
  /** Nothing is remembered of what was asked. */
  stop(): Promise<void>;
};

const main = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
const keys = { USCIS_CLIENT_ID: 'an-id', USCIS_CLIENT_SECRET: 'a-secret-of-the-bench-alone' };
const atOnce = 50;
const warmUps = 500;
const served = {
  form_type: 'I-130',
  submitted_date: '09-05-2023 14:28:12',
  modified_date: '10-05-2023 08:00:00',
  text_en: 'Case Was Received',
  desc_en: 'We received your form.',
};

/** The government's stand-in in a process of its own, so that its clock is not held up by what is measured. */
export async function startStandIn(rate: number): Promise<StandIn> {
  const ports = ['MAIL_PORT', 'SMTP_PORT', 'USCIS_PORT', 'TWILIO_PORT', 'RECEIVER_PORT'];
  const env = {
    ...keys,
    ...Object.fromEntries(ports.map((name) => [name, '0'])),
    SANDBOX_RATE_PER_SECOND: String(rate),
    SANDBOX_DAILY_QUOTA: '100000000',
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: 'a-token',
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    child.stdout.resume();
    const { uscis_url: url } = JSON.parse(line) as { uscis_url: string };
    return {
      url,
      clientId: keys.USCIS_CLIENT_ID,
      clientSecret: keys.USCIS_CLIENT_SECRET,
      async serve(receipts) {
        const put = (receipt: string) =>
          fetch(`${url}/sandbox/receipts/${receipt}`, { method: 'PUT', body: JSON.stringify(served) });
        for (let start = 0; start < receipts.length; start += atOnce) {
          const answers = await Promise.all(receipts.slice(start, start + atOnce).map(put));
          await Promise.all(answers.map((answer) => answer.arrayBuffer()));
        }
        for (const receipt of receipts.slice(0, warmUps))
          await (await fetch(`${url}/case-status/${receipt}`)).arrayBuffer();
      },
      ledger: async () => (await (await fetch(`${url}/sandbox/requests`)).json()) as LedgerRow[],
      async stop() {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error(`the stand-in ended with code ${child.exitCode}`);
}
