import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { ROOT } from '../options.ts';
import { startChild } from '../servers/child.ts';
import { freePort } from '../servers/free-port.ts';
import { readRules } from './rule-tests.ts';

type Labels = Readonly<Record<string, string>>;

/** Alerts that one cause fires, and what reaches a person: groups, each one message. */
type Storm = { what: string; alerts: readonly Labels[]; messages: readonly string[] };

const stored = ['identity', 'cases', 'monitor', 'notifier', 'webhooks'];
const alert = (alertname: string, service: string, more: Labels = {}) => ({ alertname, service, ...more });
const each = (alertname: string, services: readonly string[], more: Labels = {}) =>
  services.map((service) => alert(alertname, service, more));

export const storms: readonly Storm[] = [
  {
    what: 'MongoDB hangs',
    alerts: [
      ...each('DependencyDown', stored, { dependency: 'mongodb' }),
      ...each('NoLeaseHolder', stored, { lease: 'relay' }),
      alert('NoLeaseHolder', 'monitor', { lease: 'sender' }),
      alert('NoLeaseHolder', 'webhooks', { lease: 'webhook-replays' }),
      alert('RequestErrors', 'gateway'),
    ],
    messages: ['DependencyDown × 5'],
  },
  {
    what: 'NATS hangs',
    alerts: [
      ...each('DependencyDown', ['gateway', 'streams', ...stored], { dependency: 'nats' }),
      ...each('OutboxLag', stored),
      alert('EventsStalled', 'cases', { consumer: 'cases-identity' }),
      alert('MailsNotTakenOver', 'identity', { queue: 'login_codes' }),
      alert('RequestErrors', 'gateway'),
    ],
    messages: ['DependencyDown × 7'],
  },
  {
    what: 'no replica of the notifier runs',
    alerts: [
      alert('ServiceMissing', 'notifier'),
      alert('NoLeaseHolder', 'notifier', { lease: 'relay' }),
      alert('MailsNotTakenOver', 'identity', { queue: 'login_codes' }),
      alert('OutboxLag', 'cases'),
    ],
    // The outbox of another service has a cause of its own.
    messages: ['OutboxLag × 1', 'ServiceMissing × 1'],
  },
  {
    what: 'the mail server refuses the password',
    alerts: [
      alert('MessagesRefused', 'notifier', { channel: 'email' }),
      alert('MessagesWaiting', 'notifier', { channel: 'email' }),
      alert('MessagesWaiting', 'notifier', { channel: 'whatsapp' }),
    ],
    messages: ['MessagesRefused × 1', 'MessagesWaiting × 1'],
  },
  {
    what: 'USCIS does not answer',
    alerts: each('UscisNoAnswers', ['monitor']).concat(
      each('UscisBreakerOpen', ['monitor']),
      each('ReceiptsOverdue', ['monitor']),
    ),
    messages: ['UscisNoAnswers × 1'],
  },
  {
    what: 'a release of cases fails at most events',
    alerts: [
      alert('FailedEventsFull', 'cases'),
      alert('FailedEventsWaiting', 'cases'),
      alert('EventsFailing', 'cases', { consumer: 'cases-identity' }),
      alert('EventsStalled', 'cases', { consumer: 'cases-identity' }),
      alert('EventsWaiting', 'cases', { consumer: 'cases-identity' }),
      // The events of another service fail for a cause of their own.
      alert('EventsFailing', 'webhooks', { consumer: 'webhooks-status' }),
    ],
    messages: ['EventsFailing × 1', 'FailedEventsFull × 1'],
  },
  {
    what: 'the clock of the database jumps',
    alerts: [
      ...each('ClockDiffers', stored, { clock: 'source' }),
      alert('ServicesDisagreeOnTime', 'all'),
      alert('PrincipalsRefused', 'cases'),
    ],
    messages: ['ClockDiffers × 5', 'PrincipalsRefused × 1'],
  },
];

class AlertmanagerUnavailable extends Error {
  readonly exitCode = 3;
}

/** ALERTMANAGER_BIN, or the one in PATH under its name or Debian's. @throws AlertmanagerUnavailable */
export function findAlertmanager(env: NodeJS.ProcessEnv): string {
  const names = env.ALERTMANAGER_BIN ? [env.ALERTMANAGER_BIN] : ['alertmanager', 'prometheus-alertmanager'];
  const found = names.find((name) => spawnSync(name, ['--version'], { env }).status === 0);
  if (found !== undefined) return found;
  throw new AlertmanagerUnavailable(
    'Not run here: which alerts become one message. Alertmanager is not on this machine: install it (in Debian ' +
      'prometheus-alertmanager), or name the program: ALERTMANAGER_BIN=/path/to/alertmanager npm run alerts',
  );
}

/** Gives each storm to an Alertmanager with our example configuration. @throws CliError: a storm that is not what it should be */
export async function checkStorms(program: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-alerts-'));
  const port = await freePort();
  const logFile = join(folder, 'log');
  const config = join(ROOT, 'deploy/observability/alertmanager.yml');
  const child = await startChild({
    command: program,
    args: [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    env: {},
    logFile,
  });
  const api = `http://127.0.0.1:${port}/api/v2`;
  try {
    while (!(await fetch(`${api}/status`).catch(() => null))?.ok) {
      if (child.hasExited()) throw new CliError(`alertmanager.yml: ${await readFile(logFile, 'utf8')}`);
      await delay(100);
    }
    // In Docker Compose no alert has a namespace; in Kubernetes each storm gets its own.
    for (const [i, storm] of storms.entries())
      for (const place of [{ namespace: `storm-${i}` }, ...(i === 0 ? [{}] : [])])
        await check(api, storm, place);
    console.log(`Alertmanager: ${storms.length} causes, each with the messages that it should have`);
  } finally {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function check(api: string, { what, alerts, messages }: Storm, place: Labels): Promise<void> {
  const severities = new Map(readRules().map((rule) => [rule.alert, rule.labels.severity]));
  const firing = alerts.map((labels) => {
    const severity = severities.get(labels.alertname ?? '');
    if (severity === undefined) throw new CliError(`${what}: there is no alert ${labels.alertname}`);
    return { labels: { ...labels, ...place, severity } };
  });
  // Beside it, a harmless alert of another installation: nothing here may silence it.
  const other = {
    alertname: 'NoLeaseHolder',
    service: 'cases',
    severity: 'page',
    namespace: `beside-${JSON.stringify(place).length}`,
  };
  const body = JSON.stringify([...firing, { labels: other }]);
  await fetch(`${api}/alerts`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const isOf = (namespace: string | undefined) => (group: Group) => group.labels.namespace === namespace;
  for (let tries = 0; ; tries++) {
    const response = await fetch(`${api}/alerts/groups?active=true&inhibited=false&silenced=false`);
    const groups = (await response.json()) as Group[];
    const seen = groups.filter(isOf(place.namespace)).map(messageOf).toSorted();
    const isOtherSeen = groups.some(isOf(other.namespace));
    if (isOtherSeen && JSON.stringify(seen) === JSON.stringify(messages)) return;
    if (tries === 100)
      throw new CliError(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(messages)}`);
    await delay(100);
  }
}

type Group = { labels: Record<string, string>; alerts: unknown[] };

const messageOf = ({ labels, alerts }: Group) => `${labels.alertname} × ${alerts.length}`;
