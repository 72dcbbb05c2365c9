import { pathOf, startProcess } from '../kit/processes.ts';
import type { Servers } from '../kit/servers.ts';
import { localSettings } from '../kit/service-settings.ts';

export const uscisKeys = { USCIS_CLIENT_ID: 'an-id', USCIS_CLIENT_SECRET: 'a-secret-of-the-bench-alone' };

type Options = { servers: Servers; uscisUrl: string; rate: number; settings?: Record<string, string> };

export function monitorEnv({ servers: { mongo, nats }, uscisUrl, rate, settings }: Options) {
  return {
    ...localSettings,
    ...nats.user('monitor'),
    MONGODB_URL: mongo.url('monitor'),
    USCIS_TOKEN_URL: `${uscisUrl}/oauth/accesstoken`,
    USCIS_API_URL: `${uscisUrl}/case-status`,
    ...uscisKeys,
    USCIS_RATE_PER_SECOND: String(rate),
    USCIS_DAILY_BUDGET: '1000000000',
    MONITOR_AHEAD_HOURS: '24',
    ...settings,
  };
}

export function startMonitor(env: Record<string, string>, onLine?: (line: string) => void) {
  return startProcess(pathOf('services/monitor/src/main.ts'), env, { ...(onLine && { onLine }) });
}
