import type { Check } from '@casewatch/platform';
import { mongodbCheck } from '@casewatch/platform/database';
import { tokenCheck } from './clients/token-check.ts';
import type { MonitorConfig } from './config.ts';

/** What a preflight of monitor tries beside NATS and DNS. */
export const monitorChecks: readonly Check<MonitorConfig>[] = [mongodbCheck('monitor'), tokenCheck];
