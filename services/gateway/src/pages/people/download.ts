import type { Success } from '@casewatch/contracts';
import { type PersonCall, pathOf, personPage } from './person-page.ts';

type Shown = Success<'get_case'>;
type CaseCopy = Pick<Shown, 'case' | 'status_updates'>;

/** A copy of what the operations show about the person. */
export const downloadData = personPage({
  method: 'GET',
  path: '/data/download',
  scope: null,
  async handle(call) {
    const { user } = await call.ask('get_user', { params: pathOf(call) });
    const cases: CaseCopy[] = [];
    for (const case_ref of await allCaseRefs(call)) cases.push(await copyOf(call, case_ref));
    const text = JSON.stringify({ user, cases }, null, 2);
    return { file: { name: 'casewatch-data.json', type: 'application/json', text } };
  },
});

async function allCaseRefs(call: PersonCall): Promise<string[]> {
  const refs: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: '100', sort: 'created_at', cursor };
    const { cases, next_cursor } = await call.ask('list_cases', { params: pathOf(call), query });
    refs.push(...cases.map(({ user_case_id }) => user_case_id));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return refs;
}

async function copyOf(call: PersonCall, case_ref: string): Promise<CaseCopy> {
  const params = { ...pathOf(call), case_ref };
  const { case: row, status_updates, ...first } = await call.ask('get_case', { params });
  let cursor = first.updates_cursor;
  while (cursor !== null) {
    const older = await call.ask('get_case', { params, query: { updates_cursor: cursor } });
    status_updates.push(...older.status_updates);
    cursor = older.updates_cursor;
  }
  return { case: row, status_updates };
}
