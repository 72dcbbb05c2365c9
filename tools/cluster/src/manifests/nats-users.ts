import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorizationBlock, natsUsers } from '@casewatch/platform';
import { DEPLOY } from '../verify/settings.ts';

const head = '# Generated from the event and request registries: npm run nats-users\n';
const include = 'users.conf';

export const natsUsersFile = join(DEPLOY, 'components/nats/users.conf');
/** Values of the Helm chart nats/nats, beside values.yaml. */
export const natsChartUsersFile = join(DEPLOY, 'components/nats-chart/users.yaml');

/** The accounts and users of NATS with their rights; passwords come from the server's environment. */
export function natsUsersConf(): string {
  return head + authorizationBlock(natsUsers, (user) => `$NATS_PASSWORD_${user.toUpperCase()}`);
}

/** The same as values of the chart: a file beside nats.conf, which values.yaml includes. */
function natsChartUsers(): string {
  const lines = natsUsersConf().slice(head.length).trimEnd().split('\n');
  const text = lines.map((line) => `        ${line}\n`).join('');
  return `${head}configMap:\n  merge:\n    data:\n      ${include}: |\n${text}`;
}

/** Path and content of every file that is made of the registries. */
export function natsUsersFiles(): [path: string, content: string][] {
  return [
    [natsUsersFile, natsUsersConf()],
    [natsChartUsersFile, natsChartUsers()],
  ];
}

/** @returns a finding for each committed file that is not what the registries make of it */
export function checkNatsUsers(): string[] {
  return natsUsersFiles()
    .filter(([path, content]) => readFileSync(path, 'utf8') !== content)
    .map(([path]) => `${path.slice(DEPLOY.length).replace(/^\/+/, '')} is out of date: npm run nats-users`);
}
