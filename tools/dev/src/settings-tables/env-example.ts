import { type ServiceName, serviceNames } from '@casewatch/contracts';
import type { Setting } from '@casewatch/platform';

const HEAD = `# Every setting of every service, written by npm run settings from the services' own schemas.
# Required ones stand open, to be filled in; the others show their default, or nothing where they have none.
# NAME_FILE=/path names a file that holds the value of NAME: for secrets, so that no environment shows them.
# npm start and docker compose up need none of this.
`;

export function envExample(settings: Readonly<Record<ServiceName, readonly Setting[]>>): string {
  const isShared = ({ name }: Setting) =>
    serviceNames.every((service) => settings[service].some((setting) => setting.name === name));
  const [first] = serviceNames;
  const shared = first === undefined ? [] : settings[first].filter(isShared);
  const own = serviceNames.map((service) =>
    section(
      service,
      settings[service].filter((setting) => !isShared(setting)),
    ),
  );
  return [HEAD, section('every service', shared), ...own].join('\n');
}

function section(title: string, settings: readonly Setting[]): string {
  return `# ---- ${title}\n${settings.map(entry).join('')}`;
}

function entry({ name, meaning, fallback, isRequired, isSecret }: Setting): string {
  const line = isRequired ? `${name}=` : `# ${name}=${fallback ?? ''}`;
  return `\n# ${meaning}${isSecret ? ' (secret)' : ''}\n${line}\n`;
}
