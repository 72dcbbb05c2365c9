import { setTimeout as delay } from 'node:timers/promises';
import { expectStatus, type PartnerApi } from './partner-api.ts';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;

/**
 * A demo case: made if the user does not have it yet. 503 is waited out: after a hard end the monitor that is to ask
 * the government takes over from the dead one within 15 s.
 */
export async function seedCase(
  api: PartnerApi,
  { userId, receipt, signal }: { userId: number; receipt: string; signal: AbortSignal },
): Promise<void> {
  const body = { receipt_number: receipt, description: 'Demo case', uscis_access_acknowledged: true };
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    const answer = await api('POST', `/client/users/${userId}/cases`, body);
    if (answer.status !== 503 || Date.now() >= deadline) {
      // 409: already monitored.
      expectStatus('create a demo case', answer, 201, 409);
      return;
    }
    await delay(PAUSE_MS);
  }
}
