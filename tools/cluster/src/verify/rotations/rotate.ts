import { userOf, withPasswords } from './fresh-secrets.ts';
import { writeSettings } from './live-settings.ts';
import { changeUsers } from './mongodb-users.ts';
import { newPasswordAtLastMember, newPasswordEverywhere } from './nats-password.ts';
import { roll } from './roll.ts';
import { changesBetween, type Held, heldIn } from './stages.ts';

type Rotation = {
  from: Held;
  to: Held;
  say(line: string): void;
  /**
   * After the second step, when everything new is made with the new secrets. What it returns are the rings whose former
   * value is still needed.
   */
  onSecondStep(): Promise<readonly string[]>;
  /** Whether the pods are to see the last step at once. Without it they hold the former values until they end. */
  rollsLast: boolean;
};

/**
 * Replaces secrets as docs/operations.md says, several at once: rings and the gateway's key in their three steps, the
 * second user of MongoDB before the second step and the first user's end after it, NATS's members around it.
 * @returns what the deployments hold in the end
 */
export async function rotate({ from, to, say, onSecondStep, rollsLast }: Rotation): Promise<Held> {
  const former = userOf(settingOf(from, 'MONGODB_URL'));
  const next = userOf(settingOf(to, 'MONGODB_URL'));
  const first = heldIn({ from, to, step: 1 });
  await Promise.all([
    changeUsers({ [next.user]: next.password }),
    newPasswordAtLastMember(withPasswords, settingOf(to, 'NATS_PASSWORD')),
    bring(from, first, true),
  ]);
  say('first step: everybody opens what the new secrets make, which nobody makes yet');
  const second = heldIn({ from, to, step: 2 });
  await bring(first, second, true);
  say('second step: everything new is made with the new secrets');
  const [kept] = await Promise.all([onSecondStep(), newPasswordEverywhere()]);
  const third = heldIn({ from, to, step: 3, kept });
  await Promise.all([changeUsers({ [former.user]: null }), bring(second, third, rollsLast)]);
  say('third step: the former secrets are gone');
  return third;
}

async function bring(before: Held, after: Held, rolls: boolean): Promise<void> {
  const changes = changesBetween(before, after);
  for (const [deployment, values] of Object.entries(changes)) await writeSettings(deployment, values);
  if (rolls) await roll(Object.keys(changes));
}

function settingOf(held: Held, name: string): string {
  const value = held[withPasswords]?.[name];
  if (value === undefined) throw new Error(`${withPasswords} has no ${name}`);
  return value;
}
