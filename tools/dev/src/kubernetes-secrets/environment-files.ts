import { type PartName, partNames, settingsTogether } from '../../../../services/all/src/settings.ts';
import { CliError } from '../cli-error.ts';
import type { Secrets } from './secrets.ts';

/** The files of deploy/small: the same secrets as in six deployments, for all services in one process. @throws CliError */
export function environmentFiles(secrets: Secrets): Record<string, string> {
  const ofPart = (part: PartName) => [part, secrets[`${part}-secrets`] ?? {}] as const;
  const { root = '', ...databaseUsers } = secrets['mongodb-users'] ?? {};
  return {
    'casewatch.env': linesOf(
      settingsTogether(Object.fromEntries(partNames.map(ofPart)) as Record<PartName, Record<string, string>>),
    ),
    'mongodb-users.env': linesOf(withPrefix('MONGODB_PASSWORD_', databaseUsers)),
    // nats-server reads a variable as a part of its configuration: without quotes, a password that begins like a number is one.
    'nats-users.env': linesOf(
      withPrefix('NATS_PASSWORD_', secrets['nats-users'] ?? {}, (value) => JSON.stringify(value)),
    ),
    // A file that is mounted: the server takes no other secret from its environment.
    'mongodb-root': root,
  };
}

function withPrefix(
  prefix: string,
  users: Readonly<Record<string, string>>,
  write = (value: string) => value,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(users).map(([user, value]) => [prefix + user.toUpperCase(), write(value)]),
  );
}

/** In single quotes compose replaces no `$`, and a key in PEM keeps its lines. */
function linesOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => {
      if (value.includes("'")) throw new CliError(`Nothing was written: ${name} contains a single quote.`);
      return `${name}='${value}'\n`;
    })
    .join('');
}
