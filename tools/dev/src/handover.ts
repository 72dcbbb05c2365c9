import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import type { DataDir } from './data-dir.ts';
import { isAlive } from './servers/is-alive.ts';

const POLL_MS = 300;

/**
 * `npm start -- --only cases` writes its process id to `handover/cases`.
 * While that process lives, `npm start` does not run the service.
 */
export function claimService({ handover }: DataDir, name: ServiceName, pid: number): void {
  mkdirSync(handover, { recursive: true });
  writeFileSync(join(handover, name), String(pid));
}

export function releaseService({ handover }: DataDir, name: ServiceName): void {
  rmSync(join(handover, name), { force: true });
}

function claims({ handover }: DataDir): Map<ServiceName, number> {
  const files = readdirSync(handover, { withFileTypes: true });
  const names = serviceNames.filter((name) => files.some((file) => file.name === name));
  const pids = names.map((name) => [name, Number(readFileSync(join(handover, name), 'utf8'))] as const);
  return new Map(pids.filter(([, pid]) => isAlive(pid)));
}

export interface HandoverCallbacks {
  /** Also called when another process claims the service. */
  onClaim: (name: ServiceName, pid: number) => Promise<void>;
  onReturn: (name: ServiceName) => Promise<void>;
}

export async function watchClaims(
  data: DataDir,
  { onClaim, onReturn }: HandoverCallbacks,
  signal: AbortSignal,
): Promise<void> {
  rmSync(data.handover, { recursive: true, force: true });
  mkdirSync(data.handover, { recursive: true });
  const pidByName = new Map<ServiceName, number>();
  while (!signal.aborted) {
    const current = claims(data);
    for (const [name, pid] of current) {
      if (pidByName.get(name) !== pid) await onClaim(name, pid);
      pidByName.set(name, pid);
    }
    for (const name of [...pidByName.keys()].filter((key) => !current.has(key))) {
      pidByName.delete(name);
      await onReturn(name);
    }
    // The abort is the normal end.
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
