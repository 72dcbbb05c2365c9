import { waitFor } from '@casewatch/testing';
import { noId } from './stand-ins.ts';
import type { Row, Story } from './story.ts';

const imports = '/v1/client/imports';

/** Enough that they are not done when the import is cancelled. */
const rowsToCancel = 500;

export async function importsAndExports(story: Story): Promise<void> {
  const { recorder, byFirm, setUp, client } = story;
  const { shows, fails } = recorder;
  const carla = { email: 'carla.mendes@example.com', name: 'Carla Mendes' };
  const rows = [
    { receipt_number: 'EAC9900000601', ...carla, uscis_access_acknowledged: 'yes', reference: '2024-121' },
    { receipt_number: 'EAC9900000602', ...carla, uscis_access_acknowledged: '' },
  ];
  const made = await shows('create_import', byFirm(imports, { rows }));
  const path = `${imports}/${(made.import as Row).id}`;
  const isDone = async () =>
    (await setUp<{ import: { state: string } }>('GET', path)).import.state === 'done';
  await waitFor(isDone, { timeoutMs: 60_000, what: 'the end of the import' });
  await shows('get_import', byFirm(path));
  await shows('send_import_verifications', byFirm(`${path}/send-verifications`, {}));
  await shows('list_imports', byFirm(imports));
  await shows('list_import_rows', byFirm(`${path}/rows?outcome=refused`));
  await shows('export_refused_rows', byFirm(`${path}/refused.csv`));
  await fails('cancel_import', 'import_not_cancellable', byFirm(path));
  await fails('get_import', 'import_not_found', byFirm(`${imports}/${noId}`));
  const many = { rows: Array.from({ length: rowsToCancel }, () => rows[0]) };
  const long = await setUp<{ import: Row }>('POST', `${imports}?dry_run=true`, many);
  await shows('cancel_import', byFirm(`${imports}/${long.import.id}`), asOfTheBeginning);

  const as = { ...byFirm('').as, 'content-type': 'text/csv' };
  await fails('create_import', 'import_unreadable', { as, path: imports, raw: 'PK\u0003\u0004' });
  const head = 'receipt_number,email,name,uscis_access_acknowledged\n';
  const line = 'EAC9900000601,carla.mendes,Carla Mendes,\n';
  await shows('check_import', { as, path: `${imports}/check`, raw: head + line });
  const tooMany = head + 'EAC9900000601,carla.mendes@example.com,Carla Mendes,yes\n'.repeat(10_001);
  await fails('create_import', 'import_too_many_rows', { as, path: imports, raw: tooMany });

  await shows('export_cases', byFirm(`/v1/client/cases.csv?user_id=${client.id}`));
  await shows('export_changes', byFirm('/v1/client/changes.csv?category=approved'));
  await shows('export_users', byFirm('/v1/client/users.csv?email=carla.mendes@example.com'));
}

/** How many rows were done before the import was cancelled differs. */
function asOfTheBeginning(body: unknown): unknown {
  const { import: cancelled, ...same } = body as { import: object };
  return { ...same, import: { ...cancelled, waiting: rowsToCancel, created: 0, unchanged: 0 } };
}
