import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { kubectl, startKubectl } from '../verify/kubectl.ts';
import { archiveName } from './back-up.ts';
import { members, scale } from './members.ts';
import { volumePod } from './volume-pod.ts';

/** Puts the files of a backup into all three members, so that none has to copy from another. */
export async function putBack(folder: string, say: (line: string) => void): Promise<void> {
  say('stopping MongoDB …');
  await scale('statefulset/mongodb', 0);
  await kubectl([
    'wait',
    'pod',
    '--selector=app.kubernetes.io/name=mongodb',
    '--for=delete',
    '--timeout=300s',
  ]);
  for (const member of members) {
    say(`filling the volume of ${member} …`);
    await fill(member, join(folder, archiveName));
  }
  say('starting MongoDB …');
  await scale('statefulset/mongodb', members.length);
  await kubectl(['rollout', 'status', 'statefulset/mongodb', '--timeout=600s']);
}

/** A pod of its own has the volume while no member has. */
async function fill(member: string, archive: string): Promise<void> {
  const pod = volumePod(member);
  const { name } = pod.metadata;
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
