import { randomInt } from 'node:crypto';
import { createPartner, hooksOf, mailsTo, newReceipt, type Partner, setAnswer } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { caseOfEvent } from '../support/case-of-event.ts';
import { readCase } from '../support/read-case.ts';
import { type System, sharedSystem } from '../support/system.ts';

const patience = { timeoutMs: 60_000 };
// Format characters: joiners, marks that turn the direction of text, soft hyphens, a byte order mark.
const invisible = /\p{Cf}/u;

/** What the government answers otherwise than its documents say, and what callers and people get of it. */
describe('odd answers of the government, from outside', () => {
  let system: System;
  let partner: Partner;
  let call: Partner['call'];
  beforeAll(async () => {
    system = await sharedSystem();
    partner = createPartner(system.dev(), system.dev().partner);
    call = partner.call;
  });

  const answer = (receipt: string, case_status: object) =>
    setAnswer(system.dev(), receipt, { body: JSON.stringify({ case_status }) });
  const check = (receipt_number: string) => call('POST', '/v1/check', { receipt_number, max_age: 300 });
  const createCase = (user: number, receipt_number: string) =>
    call('POST', `/v1/client/users/${user}/cases`, { receipt_number, uscis_access_acknowledged: true });

  it('an empty 200 is a receipt that USCIS does not know', async () => {
    const receipt = newReceipt();
    await answer(receipt, {
      receiptNumber: '',
      formType: '',
      current_case_status_text_en: '',
      current_case_status_desc_en: '',
      hist_case_status: null,
    });
    expect(await check(receipt)).toMatchObject({ status: 404, body: { code: 'status_not_available' } });
    const user = await partner.verifiedUser({});
    expect(await createCase(user.id, receipt)).toMatchObject({
      status: 201,
      body: { update_count: 0, status_updates: [] },
    });
  });

  it('English for Spanish and invisible characters reach no person and no program', async () => {
    const dev = system.dev();
    const hookName = `odd-answers-${randomInt(1_000_000)}`;
    await partner.newWebhook(hookName);
    const user = await partner.verifiedUser({ preferred_language: 'es' });
    const receipt = newReceipt();
    const served = (title: string) => ({
      receiptNumber: receipt,
      formType: '\u202eForm\u00a0I\u2011130\u200b',
      current_case_status_text_en: `\ufeff${title.replaceAll(' ', '\u00a0')}\u202e`,
      current_case_status_text_es: title,
      current_case_status_desc_en: `On September\u200b 5, 2023, we wro\u00adte: ${title}.\u2066`,
      current_case_status_desc_es: `On September 5, 2023, we wrote: ${title}`,
      hist_case_status: [
        {
          date: '09/04/2023',
          completed_text_en: 'Fees\u200d Were Waived',
          completed_text_es: 'FEES WERE WAIVED',
        },
      ],
    });
    await answer(receipt, served('Case Was Received'));
    const created = await createCase(user.id, receipt);
    expect(created.status).toBe(201);
    const { id } = created.body.case as { id: number };
    await answer(receipt, served('Case Was Approved'));
    await waitFor(async () => (await readCase(call, id)).update_count === 2, patience);
    const read = await call('GET', `/v1/client/cases/${id}`);
    expect((read.body.status_updates as object[])[0]).toMatchObject({
      status_code: 'Case Was Approved',
      status_code_es: 'Caso Fue Aprobado',
      status_description: 'On September 5, 2023, we wrote: Case Was Approved.',
      status_description_es: expect.stringContaining('USCIS aprobó'),
      status_slug: 'case_was_approved',
      spanish_source: 'casewatch',
      form_type: 'I-130',
      history: [{ date: '2023-09-04', status_code_es: 'Se Eximió El Pago De Las Tarifas' }],
    });
    const mail = await waitFor(
      async () => (await mailsTo(dev, user.email)).find(({ text }) => text?.includes('Caso Fue Aprobado')),
      patience,
    );
    const hook = await waitFor(
      async () => (await hooksOf(dev, hookName)).find(({ body }) => caseOfEvent(body) === id),
      patience,
    );
    const texts = [JSON.stringify(read.body), mail.subject, mail.text, hook.body];
    for (const text of texts) expect(text).not.toMatch(invisible);
  });

  it('a day by which people must answer is not taken for the day of the notice', async () => {
    const receipt = newReceipt();
    const year = new Date().getUTCFullYear() + 1;
    const status = (text: string) => ({
      receiptNumber: receipt,
      current_case_status_text_en: 'Request for Additional Evidence Was Sent',
      current_case_status_desc_en: text,
    });
    await answer(
      receipt,
      status(`Your response is due by January 4, ${year}. On November 2, we sent you a request.`),
    );
    const { body } = await check(receipt);
    expect((body.status as { detail_message: string }).detail_message).not.toMatch(String(year));
    const other = newReceipt();
    const today = new Date();
    const day = `${today.getUTCMonth() + 1}/${today.getUTCDate()}/${today.getUTCFullYear()}`;
    await answer(other, { ...status(`On ${day}, we sent you a request.`), receiptNumber: other });
    const latest = new Date(today.getTime() + 84 * 86_400_000);
    const inWords = latest.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    const dated = await check(other);
    expect((dated.body.status as { detail_message: string }).detail_message).toContain(inWords);
  });
});
