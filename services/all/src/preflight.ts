/**
 * Tries the dependencies of all services from where their one process runs, each with the settings and rights of its service
 * (docs/operations/small.md). Exit codes as of one service: 0 nothing is wrong, 1 something is, 2 wrong settings.
 */
import { casesChecks } from '@casewatch/cases/checks';
import { identityChecks } from '@casewatch/identity/checks';
import { monitorChecks } from '@casewatch/monitor/checks';
import { notifierChecks } from '@casewatch/notifier/checks';
import { type Check, ConfigError, preflight } from '@casewatch/platform';
import { webhooksChecks } from '@casewatch/webhooks/checks';
import { configs, environmentOf, type PartName, partNames, readSettings } from './settings.ts';

/** The gateway and the declaration of streams need NATS alone. */
const checks: Readonly<Partial<Record<PartName, readonly Check<never>[]>>> = {
  identity: identityChecks,
  cases: casesChecks,
  monitor: monitorChecks,
  notifier: notifierChecks,
  webhooks: webhooksChecks,
};

try {
  readSettings(process.env);
  const codes: number[] = [];
  for (const name of partNames)
    codes.push(
      await preflight({ name, config: configs[name] }, checks[name] ?? [], environmentOf(name, process.env)),
    );
  process.exitCode = Math.max(...codes);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
