import { expectStatus, type Partner, until } from '@casewatch/driver';

/** What one StatusUpdate looks like in GET /v1/client/cases/{id}. */
export type Update = Record<string, unknown> & { id: number; status_code: string };
export type CaseRead = { case: Record<string, unknown>; status_updates: Update[]; update_count: number };

/** Reads a case; after a 503 again, as a client does. */
export async function readCase(call: Partner['call'], id: unknown): Promise<CaseRead> {
  const answered = async () => {
    const answer = await call<CaseRead>('GET', `/v1/client/cases/${id}`);
    return answer.status !== 503 && answer;
  };
  return expectStatus('reading a case', await until(answered, { what: 'an answer without 503' }), 200);
}
