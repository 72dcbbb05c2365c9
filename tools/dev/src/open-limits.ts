import { CliError } from './cli-error.ts';

/** Limits of USCIS in development, for the stand-in and the monitor. */
export const OPEN_LIMITS = { rate_per_second: 50, daily_quota: 10_000_000, hours: null };

export async function openLimits(uscisUrl: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'PUT', headers, body: JSON.stringify(OPEN_LIMITS) };
  const response = await fetch(`${uscisUrl}/sandbox/limits`, init);
  if (response.ok) return;
  throw new CliError(`The USCIS stand-in refused its limits: ${response.status} ${await response.text()}`);
}
