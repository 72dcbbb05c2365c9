/** Writes an operator's command so that it runs in this deployment. `words`: as after `npm run admin --`. */
export type Commands = (words: string) => string;

/**
 * `exec`: runs a program where `{service}` runs, such as `kubectl -n casewatch exec deploy/{service} --`; the images have no npm. With
 * `{words}`, one program has the commands of all services (services/all).
 * Undefined: on a development machine.
 */
export function commandsOf(exec: string | undefined): Commands {
  return (words) => {
    if (exec === undefined) return `npm run admin -- ${words}`;
    if (exec.includes('{words}')) return exec.replaceAll('{words}', words);
    const { service, program } = placeOf(words.split(' '));
    return `${exec.replaceAll('{service}', service)} node ${program}`;
  };
}

const withCommands = ['cases', 'monitor', 'notifier', 'webhooks'];

function placeOf([first = '', ...rest]: readonly string[]): { service: string; program: string } {
  const [second = '', ...others] = rest;
  const inPlatform = (name: string, args: readonly string[]) =>
    [`libs/platform/src/programs/${name}.ts`, ...args].join(' ');
  // Dead letters are rows of the service's own database: `deadletters list <service>`.
  if (first === 'deadletters')
    return { service: others[0] ?? '<service>', program: inPlatform('dead-letters', rest) };
  if (first === 'republish') return { service: second, program: inPlatform('republish', others) };
  const admin = (args: readonly string[]) => ['service/src/admin/main.ts', ...args].join(' ');
  // The part of cases; those of monitor, notifier and webhooks are in their pods.
  if (first === 'explain') return { service: 'cases', program: admin(['explain', '--case', ...others]) };
  return { service: withCommands.includes(first) ? first : 'identity', program: admin([first, ...rest]) };
}
