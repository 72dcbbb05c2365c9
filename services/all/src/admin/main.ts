/**
 * The operator's commands, with the words of `npm run admin`: `node service/src/admin/main.ts monitor status`. Each runs with the settings
 * of its own service alone, as in that service's container.
 */
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { runAdmin as ofCases } from '@casewatch/cases/admin';
import { runAdmin as ofIdentity } from '@casewatch/identity/admin';
import { runAdmin as ofMonitor } from '@casewatch/monitor/admin';
import { runAdmin as ofNotifier } from '@casewatch/notifier/admin';
import { runCommands } from '@casewatch/platform';
import { runDeadLetters, runRepublish } from '@casewatch/platform/database';
import { runAdmin as ofWebhooks } from '@casewatch/webhooks/admin';
import { environmentOf } from '../settings.ts';

type Run = typeof ofIdentity;
type Output = NonNullable<Parameters<Run>[2]>;

/** Programs that have the words of their service; every other command is identity's. */
const ofServices: Readonly<Record<string, [ServiceName, Run]>> = {
  cases: ['cases', ofCases],
  statuses: ['cases', ofCases],
  monitor: ['monitor', ofMonitor],
  notifier: ['notifier', ofNotifier],
  webhooks: ['webhooks', ofWebhooks],
};

const withEvents = serviceNames.filter((name) => name !== 'gateway');

await runCommands(async (args, env, output) => {
  const [first = '', second, third] = args;
  // Both work on the database of one service: `deadletters list cases`, `republish cases --since …`.
  if (first === 'deadletters' || first === 'republish') {
    const place = first === 'republish' ? second : third;
    const service = withEvents.find((name) => name === place);
    if (!service) return sayWhose(first, output);
    return first === 'republish'
      ? await runRepublish(args.slice(2), environmentOf(service, env), output)
      : await runDeadLetters(args, environmentOf(service, env), output);
  }
  // The part of cases, as on the page for operators.
  if (first === 'explain' && second === 'case')
    return await ofCases(['explain', '--case', ...args.slice(2)], environmentOf('cases', env), output);
  const [service, run] = ofServices[first] ?? (['identity', ofIdentity] as const);
  return await run(args, environmentOf(service, env), output);
});

function sayWhose(
  command: string,
  { err } = { err: (line: string) => void process.stderr.write(`${line}\n`) } as Output,
): number {
  err(`Say whose: ${command === 'republish' ? 'republish' : 'deadletters list'} ${withEvents.join('|')}`);
  return 2;
}
