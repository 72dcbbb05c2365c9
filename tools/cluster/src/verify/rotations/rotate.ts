import { restartInTurn } from '../../kit/rollouts.ts';
import { userOf, withPasswords } from './fresh-secrets.ts';
import { writeSettings } from './live-settings.ts';
import { changesBetween, type Deployed, settingsAtStep } from './stages.ts';
import { changeMongodbUsers, newPasswordAtLastMember, newPasswordEverywhere } from './store-passwords.ts';

type Rotation = {
  from: Deployed;
  to: Deployed;
  say(line: string): void;
  /** Runs after the second step, when new values are made with the new secrets. @returns rings that still need the former value */
  onSecondStep(): Promise<readonly string[]>;
  /** Whether the pods restart after the last step. If not, they keep the former values until they end. */
  restartsLast: boolean;
};

/** Replaces several secrets at once, in the steps of docs/operations.md. @returns the settings in the end */
export async function rotate({ from, to, say, onSecondStep, restartsLast }: Rotation): Promise<Deployed> {
  const former = userOf(settingOf(from, 'MONGODB_URL'));
  const next = userOf(settingOf(to, 'MONGODB_URL'));
  const first = settingsAtStep({ from, to, step: 1 });
  await Promise.all([
    changeMongodbUsers({ [next.user]: next.password }),
    newPasswordAtLastMember(withPasswords, settingOf(to, 'NATS_PASSWORD')),
    deploy(from, first, true),
  ]);
  say('first step: all services read both secrets and write with the former ones');
  const second = settingsAtStep({ from, to, step: 2 });
  await deploy(first, second, true);
  say('second step: all services write with the new secrets');
  const [kept] = await Promise.all([onSecondStep(), newPasswordEverywhere()]);
  const third = settingsAtStep({ from, to, step: 3, kept });
  await Promise.all([changeMongodbUsers({ [former.user]: null }), deploy(second, third, restartsLast)]);
  say('third step: the former secrets are removed');
  return third;
}

async function deploy(before: Deployed, after: Deployed, restarts: boolean): Promise<void> {
  const changes = changesBetween(before, after);
  for (const [deployment, values] of Object.entries(changes)) await writeSettings(deployment, values);
  if (restarts) await restartInTurn(Object.keys(changes));
}

function settingOf(deployed: Deployed, name: string): string {
  const value = deployed[withPasswords]?.[name];
  if (value === undefined) throw new Error(`${withPasswords} has no ${name}`);
  return value;
}
