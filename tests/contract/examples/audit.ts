import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@casewatch/contracts';
import { send } from '@casewatch/driver';
import { connectDatabase, waitFor } from '@casewatch/testing';
import type { Story } from './story.ts';

const path = '/v1/client/audit';

/** What nobody of the firm does in the story: people without a partner, and addresses that nobody has. */
const ofNobody = ['create_user', 'resend_verification'];

/** The operations of the table that are recorded, and how. */
export const recorded = Object.entries(operations).flatMap(([name, row]) =>
  'recorded' in row && !ofNobody.includes(name) ? [{ name, how: row.recorded }] : [],
);

/** Which of the operations have no record that the firm can read. */
export async function withoutRecord({ dev, recorder, byFirm }: Story): Promise<string[]> {
  const isThere = async (name: string) => {
    const { body } = await send<{ records: unknown[] }>(dev, 'GET', byFirm(`${path}?operation=${name}&limit=1`));
    return body.records.length > 0;
  };
  const missing: string[] = [];
  for (const { name } of recorded)
    await waitFor(() => isThere(name), { what: `a record of ${name}` }).catch(() => missing.push(name));
  await recorder.shows('list_audit', byFirm(`${path}?operation=rotate_webhook_secret&limit=1`));
  return missing;
}

/** Which effects were not in the transaction of their record, as the log of the database has it. */
export async function apartFromRecord({ dataDir }: Story): Promise<string[]> {
  const env = JSON.parse(readFileSync(join(dataDir, 'dev-env.json'), 'utf8'));
  const db = await connectDatabase(env.identity.MONGODB_URL);
  try {
    const oplog = db.getClient().db('local').collection('oplog.rs');
    const effects = recorded.filter(({ how }) => how === 'effect');
    const together = effects.map(async ({ name }) => {
      const entries = oplog.find({ 'o.applyOps.o.body': new RegExp(`"operation":"${name}"`) });
      const written = (await entries.toArray()).map(({ o }) => o.applyOps as { o: { type?: string } }[]);
      const isAlone = written.map((rows) => rows.every(({ o }) => o.type?.endsWith('.audited')));
      return written.length > 0 && !isAlone.includes(true) ? [] : [name];
    });
    return (await Promise.all(together)).flat();
  } finally {
    await db.close();
  }
}
