import { expect } from '@jest/globals';
import { createUscis, type Uscis } from '../../src/clients/uscis.ts';
import { askUscis } from '../../src/sending/ask-uscis.ts';
import { createGovernment } from './government.ts';
import { settingsOf, startStandIn } from './stand-in.ts';

export const receipt = 'EAC9999103403';

export const failed = { outcome: 'failed', reason: expect.any(String) };

export type Asking = Awaited<ReturnType<typeof startAsking>>;

/** A client of a stand-in of its own, and how it understands the answers. */
export async function startAsking() {
  const standIn = await startStandIn();
  const client = (secret = standIn.uscis_client_secret, onAssumedLife = () => {}): Uscis =>
    createUscis({ ...settingsOf(standIn), USCIS_CLIENT_SECRET: secret }, { onAssumedLife });
  const uscis = client();
  let sent = 0;
  const nextPermit = async () => ({ sent: ++sent, mayWrite: () => true, release() {} });
  const government = createGovernment(standIn.uscis_url);
  return {
    government,
    client,
    ask: async (number = receipt, as = uscis) => (await askUscis(as, number, { nextPermit })).outcome,
    /** Ends the faults and the low limits of a test. */
    async reset(): Promise<void> {
      await government.fault({ mode: 'none' });
      await government.limits({ rate_per_second: 100_000, daily_quota: 1_000_000, hours: '' });
    },
    async stop(): Promise<void> {
      await uscis.close();
      await standIn.stop();
    },
  };
}
