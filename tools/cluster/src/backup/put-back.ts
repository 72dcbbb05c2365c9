import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { idlePod } from '../kit/idle-pod.ts';
import { kubectl, startKubectl } from '../kit/kubectl.ts';
import { waitForRollout } from '../kit/rollouts.ts';
import { archiveName } from './back-up.ts';
import { members, scale } from './members.ts';

/** Puts the files of a backup into all three members, so that no member copies from another. */
export async function putBack(folder: string, say: (line: string) => void): Promise<void> {
  say('stopping MongoDB …');
  await scale('statefulset/mongodb', 0);
  const pods = ['pod', '--selector=app.kubernetes.io/name=mongodb'];
  await kubectl(['wait', ...pods, '--for=delete', '--timeout=300s']);
  for (const member of members) {
    say(`filling the volume of ${member} …`);
    await fill(member, join(folder, archiveName));
  }
  say('starting MongoDB …');
  await scale('statefulset/mongodb', members.length);
  await waitForRollout('statefulset/mongodb', 600);
}

/** While the member is stopped, another pod of the same image and user mounts its volume. */
async function fill(member: string, archive: string): Promise<void> {
  const name = `restore-${member}`;
  const container = {
    name,
    image: 'mongo:6',
    user: 10002,
    command: ['sleep', '86400'],
    memoryLimit: '256Mi',
    claim: `data-${member}`,
  };
  const pod = idlePod(container, 'restore');
  await kubectl(['apply', '--filename', '-'], { input: JSON.stringify(pod) });
  try {
    await kubectl(['wait', `pod/${name}`, '--for=condition=Ready', '--timeout=300s']);
    const unpack =
      'find /data/db -mindepth 1 -delete && tar --extract --gzip --no-same-owner --directory=/data/db';
    const args = ['exec', '--stdin', name, '--', 'bash', '-ec', unpack];
    const { child, ended } = startKubectl(args, ['pipe', 'inherit', 'inherit']);
    if (!child.stdin) throw new Error('kubectl has no input');
    await pipeline(createReadStream(archive), child.stdin);
    const code = await ended;
    if (code !== 0) throw new Error(`unpacking for ${member} ended with ${code}`);
  } finally {
    await kubectl(['delete', 'pod', name, '--ignore-not-found', '--timeout=120s']);
  }
}
