import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createUscis, type Uscis } from '../../src/clients/uscis.ts';
import { askUscis } from '../../src/sending/ask-uscis.ts';
import type { SendPermit } from '../../src/sending/pacer.ts';
import { createGovernment } from '../support/government.ts';
import { type StandIn, settingsOf, startStandIn } from '../support/stand-in.ts';

// As upstream.md lists them: letters, then the first and the last number of each run.
const withHistory = runs(
  'EAC 9999103403-9999103405 9999103410-9999103411 9999103416 9999103419',
  'LIN 9999106498-9999106499 9999106504-9999106506',
  'SRC 9999102777-9999102787 9999132710 9999132719',
);
const withoutHistory = runs(
  'EAC 9999103400 9999103402 9999103406-9999103409 9999103412-9999103415 9999103420-9999103421',
  'EAC 9999103424-9999103426 9999103428-9999103429 9999103431-9999103432',
  'LIN 9999106501 9999106507',
  'SRC 9999132694-9999132695 9999132706-9999132707',
);

describe('the government’s sandbox, as it is before anybody changes it', () => {
  let standIn: StandIn;
  let uscis: Uscis;
  let sent = 0;

  beforeAll(async () => {
    standIn = await startStandIn();
    // Its rate is not under test here.
    await createGovernment(standIn.uscis_url).limits({ rate_per_second: 100_000 });
    uscis = createUscis(settingsOf(standIn));
  });
  afterAll(async () => {
    await uscis.close();
    await standIn.stop();
  });

  const ask = async (receipt: string) => {
    const turn = async (): Promise<SendPermit> => ({
      sent: ++sent,
      mayWrite: () => true,
      release() {},
    });
    return (await askUscis(uscis, receipt, { nextPermit: turn })).outcome;
  };
  async function seen(receipt: string) {
    const outcome = await ask(receipt);
    if (outcome.outcome !== 'seen') throw new Error(`the outcome was ${outcome.outcome}`);
    return outcome.seen;
  }

  it.each(withHistory)('%s has a history', async (receipt) => {
    expect((await seen(receipt)).facts.history.length).toBeGreaterThan(0);
  });

  it.each(withoutHistory)('%s has none', async (receipt) => {
    expect((await seen(receipt)).facts.history).toEqual([]);
  });

  it('answers no other', async () => {
    for (const receipt of ['EAC9999103401', 'IOE9999103403', 'LIN9999106500'])
      expect(await ask(receipt)).toMatchObject({ outcome: 'not_found' });
  });

  it('echoes the receipt in `message`, of which nothing is kept', async () => {
    expect(JSON.stringify(await ask('EAC9999103403'))).not.toContain('Query was successful');
  });

  it('refuses keys as HTTP Basic, which the client therefore never sends', async () => {
    const keys = Buffer.from(`${standIn.uscis_client_id}:${standIn.uscis_client_secret}`).toString('base64');
    const answer = await fetch(`${standIn.uscis_url}/oauth/accesstoken`, {
      method: 'POST',
      headers: { authorization: `Basic ${keys}` },
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Required param : grant_type');
  });
});

/** "EAC 1-3 7" → EAC1 EAC2 EAC3 EAC7. */
function runs(...lines: string[]): string[] {
  return lines.flatMap((line) => {
    const [letters = '', ...spans] = line.split(' ');
    return spans.flatMap((span) => {
      const [first = 0, last = first] = span.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => `${letters}${first + i}`);
    });
  });
}
