import { operations } from '@casewatch/contracts';
import { newReceipt, received, setReceipt, succeed } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { recordedTransactions } from '../../support/recorded-transactions.ts';
import type { Story } from './story.ts';

const path = '/v1/client/audit';

/**
 * Not recorded in the story: people without a partner sign up, an address belongs to nobody, and the replay that is cancelled has
 * ended before.
 */
const withoutEffect = ['create_user', 'resend_verification', 'cancel_replay'];

/** The operations of the table that are recorded, and how. */
export const recorded = Object.entries(operations).flatMap(([name, row]) =>
  'recorded' in row && !withoutEffect.includes(name) ? [{ name, how: row.recorded }] : [],
);

/** Which of the operations have no record that the firm can read. */
export async function withoutRecord(story: Story): Promise<string[]> {
  const { dev, recorder, byFirm } = story;
  await readAsFirm(story);
  const isThere = async (name: string) => {
    const ask = byFirm(`${path}?operation=${name}&limit=1`);
    const { records } = await succeed<{ records: unknown[] }>(dev, 'GET', ask);
    return records.length > 0;
  };
  const missing: string[] = [];
  for (const { name } of recorded)
    await waitFor(() => isThere(name), { what: `a record of ${name}` }).catch(() => missing.push(name));
  await recorder.shows('list_audit', byFirm(`${path}?operation=rotate_webhook_secret&limit=1`));
  return missing;
}

/** The paths that people use, too: what people read of their own is not recorded. */
async function readAsFirm({ dev, newUser, setUp }: Story): Promise<void> {
  const { id } = await newUser({ email: 'read.by.firm@example.com', name: 'Read By Firm' });
  const receipt_number = newReceipt();
  await setReceipt(dev, receipt_number, received);
  const body = { receipt_number, uscis_access_acknowledged: true };
  const { case: made } = await setUp<{ case: { id: number } }>('POST', `/v1/client/users/${id}/cases`, body);
  for (const read of ['', `/${id}`, `/${id}/cases`, `/${id}/cases/${made.id}`])
    await setUp('GET', `/v1/users${read}`);
}

/** Which effects were not in the transaction of their record, as the log of the database has it. */
export async function apartFromRecord({ dataDir }: Story): Promise<string[]> {
  // A refusal has no effect: its record is alone.
  const done = (await recordedTransactions(dataDir, /"operation":/)).filter(
    ({ record }) => record.status !== 403,
  );
  const byOperation = Map.groupBy(done, ({ record }) => record.operation);
  const effects = recorded.filter(({ how }) => how === 'effect');
  return effects.flatMap(({ name }) => {
    const found = byOperation.get(name) ?? [];
    return found.length > 0 && !found.some(({ isAlone }) => isAlone) ? [] : [name];
  });
}
