import { pause, transaction } from '@casewatch/platform';
import type { Context, WriteContext } from '../context.ts';
import { neverProvedAny } from '../domain/user.ts';
import { eraseUser } from '../changes/change-user.ts';

type Parts = WriteContext &
  Pick<Context, 'idempotency' | 'macs' | 'log'> & {
    /** How long a sign-up waits to be proven, ms. */
    keptMs: number;
  };

/** It looks at least this often, ms, and ten times in the time that a sign-up is kept. */
const hourMs = 60 * 60 * 1000;
const atOnce = 100;

/**
 * Erases direct users whose address nobody has ever proven: somebody's typing, of which its owner may know nothing. They
 * can have no cases, since signing in is a proof. Replicas may do this at once; each user is erased once.
 */
export function startSignUpSweep(parts: Parts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await sweep(parts, stopping.signal).catch((error: unknown) => {
        parts.log.warn({ err: error }, 'unproven sign-ups wait for the next sweep');
      });
      await pause(Math.min(hourMs, parts.keptMs / 10), stopping.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function sweep(parts: Parts, signal: AbortSignal): Promise<void> {
  const before = new Date(parts.clock.now().getTime() - parts.keptMs);
  for (;;) {
    const ids = await parts.stores.users.unprovenSince(before, atOnce);
    for (const id of ids) {
      if (signal.aborted) return;
      await eraseIfUnproven(parts, id);
    }
    if (ids.length < atOnce) return;
  }
}

async function eraseIfUnproven(parts: Parts, id: number): Promise<void> {
  await transaction(parts.db, async (session) => {
    const user = await parts.stores.users.find(id, session);
    // Proven, or erased, since it was looked for.
    if (!user || !neverProvedAny(user)) return;
    await eraseUser(parts, session, user);
  });
  parts.log.info({ user_id: id }, 'sign-up erased that was never proven');
}
