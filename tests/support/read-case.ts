import { expectStatus, type Partner } from '@casewatch/driver';

/** What one StatusUpdate looks like in GET /v1/client/cases/{id}. */
export type Update = Record<string, unknown> & { id: number; status_code: string };
export type CaseRead = { case: Record<string, unknown>; status_updates: Update[]; update_count: number };

export async function readCase(call: Partner['call'], id: unknown): Promise<CaseRead> {
  return expectStatus('reading a case', await call<CaseRead>('GET', `/v1/client/cases/${id}`), 200);
}
