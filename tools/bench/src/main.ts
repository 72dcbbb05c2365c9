import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Name of each bench, as typed after `npm run bench --`, and its program. */
const benches: Record<string, string> = {
  gateway: './gateway.ts',
  requests: './requests.ts',
  overload: './overload.ts',
  ready: './ready.ts',
  idle: './idle.ts',
  'monitor sending': './monitor-sending.ts',
  'monitor freshness': './monitor-freshness.ts',
  'monitor schedule': './monitor-schedule.ts',
  'monitor schedule-changes': './monitor-schedule-changes.ts',
  'webhooks hanging': './webhooks-hanging.ts',
  'webhooks killed': './webhooks-killed.ts',
  'webhooks sending': './webhooks-sending.ts',
  'notifier backlog': './notifier-backlog.ts',
  'notifier killed': './notifier-killed.ts',
  'webhooks steady': './webhooks-steady.ts',
  'notifier sending': './notifier-sending.ts',
  'stuck-events': './stuck-events.ts',
  elections: './elections.ts',
  enumeration: './enumeration.ts',
  'webhooks fan-out': './webhooks-fan-out.ts',
};

const words = process.argv.slice(2);
const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => name in benches) ?? '';
const file = benches[name];
const options = words.slice(name.split(' ').length);
if (file === undefined) {
  const forms = Object.keys(benches).map((name) => `  npm run bench -- ${name}`);
  process.stderr.write(`Name a bench:\n${forms.join('\n')}\n`);
  process.exitCode = 2;
} else {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...options], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
