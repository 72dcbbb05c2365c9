import {
  type Addresses,
  createPartner,
  keyHeaders,
  newReceipt,
  type Partner,
  type PartnerKeys,
  received,
  setReceipt,
  succeed,
  tell,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import type { AnyPage } from '../../services/gateway/src/pages/page.ts';
import type { Visit } from './check-page.ts';
import type { CaseRead } from './read-case.ts';

/** Values of the parameters in paths of pages, by name. */
type Values = Readonly<Record<string, string | number>>;

/** Every page of a table, and the answer of each form that shows a refusal. */
export function visitsOf<Session>(pages: readonly AnyPage<Session>[], values: Values): Visit[] {
  return pages
    .filter(({ method, refused }) => method === 'GET' || refused)
    .map(({ method, path: template }) => {
      const path = template.replaceAll(/:(\w+)/g, (_, name: string) => parameterOf(values, name, template));
      return method === 'GET' ? { path } : { path, form: { name: '' } };
    });
}

function parameterOf(values: Values, name: string, path: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`page-data.ts has no ${name} for the page ${path}`);
  return String(value);
}

/** A user with a case that changes, and two endpoints, of which the first fails. */
export async function fillConsole(at: Addresses, keys: PartnerKeys): Promise<Values> {
  const partner = createPartner(at, keys);
  await tell(`${at.receiver_url}/sandbox/hooks/pages-fail`, { status: 503 });
  const failing = await partner.newWebhook('pages-fail', ['*']);
  await partner.newWebhook('pages', ['*']);
  const user = await partner.verifiedUser({ name: 'Ana Silva', preferred_language: 'pt' });
  const case_ref = await changedCase(at, partner, user.id);
  const deliveries = `/v1/webhooks/${failing.id}/deliveries`;
  const delivery = await waitFor(
    async () => {
      type Listed = { deliveries: { id: string; attempts: unknown[] }[] };
      const { body } = await partner.call<Listed>('GET', deliveries);
      return body.deliveries.find(({ attempts }) => attempts.length > 0);
    },
    { what: 'a delivery', timeoutMs: 90_000 },
  );
  const create = <T>(path: string, body: object) =>
    succeed<T>(at, 'POST', { as: keyHeaders(keys), path, body });
  const { task } = await create<{ task: { id: number } }>(`/v1/webhooks/${failing.id}/replay`, {
    since: new Date(Date.now() - 3_600_000).toISOString(),
  });
  const member = { email: `member.${Date.now()}@firm.example`, name: 'Vera Vance', role: 'viewer' };
  const { staff_member } = await create<{ staff_member: { id: number } }>('/v1/client/staff', member);
  const row = {
    receipt_number: newReceipt(),
    email: 'no address',
    name: 'Bo',
    uscis_access_acknowledged: true,
  };
  const begun = await create<{ import: { id: number } }>('/v1/client/imports', { rows: [row] });
  const { import: imported } = begun;
  return {
    import_id: imported.id,
    user_id: user.id,
    case_ref,
    webhook_id: failing.id,
    delivery_id: delivery.id,
    task_id: task.id,
    staff_id: staff_member.id,
  };
}

/** A case with an earlier status, and one that asks for something. @returns its reference */
export async function changedCase(at: Addresses, partner: Partner, userId: number): Promise<string> {
  const receipt = newReceipt();
  await setReceipt(at, receipt, received);
  const { id } = await partner.newCase(userId, receipt, { description: 'Green card' });
  await setReceipt(at, receipt, titled('Request for Initial Evidence Was Sent'));
  const row = await waitFor(
    async () => {
      const { status, body } = await partner.call<CaseRead>('GET', `/v1/client/cases/${id}`);
      return status === 200 && body.update_count === 2 && body.case;
    },
    { what: 'the change', timeoutMs: 180_000 },
  );
  return String(row.user_case_id);
}
