import {
  approved,
  createPartner,
  hooksOf,
  mailsTo,
  messagesTo,
  newReceipt,
  type Partner,
  type PartnerWithKey,
  received,
  setReceipt,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { caseOfEvent } from '../support/case-of-event.ts';
import { type Console, consoleLink, enterConsole } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { signInWithBrowser } from '../support/person-browser.ts';
import { readCase } from '../support/read-case.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

/** Words of a page, without markup. */
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const patience = { timeoutMs: 60_000, intervalMs: 250 };

/** The example of USCIS's own documentation. */
const entry = {
  date: '2023-09-05',
  text_en: 'We approved your Form I-130, Petition for Alien Relative.',
  text_es: 'Aprobamos su Formulario I-130, Petición de Familiar Extranjero.',
};

describe('what changed, from outside', () => {
  let at: DevFile;
  let partner: Partner;
  let keys: PartnerWithKey;
  let opened: Console;
  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    keys = await newPartner(system.dataDir, 'Changes Law');
    partner = createPartner(at, keys);
    opened = await enterConsole(at, await consoleLink(at, keys));
    await partner.newWebhook('what-changed', ['case.*']);
  });

  const changesOf = async (id: number) =>
    (await hooksOf(at, 'what-changed'))
      .map(({ body }) => ({ ...JSON.parse(body), caseId: caseOfEvent(body) }))
      .filter((event) => event.caseId === id && event.type === 'case.status_updated');

  it('is told truly by mail, WhatsApp, webhook and pages where only the history is new, after a touch', async () => {
    const phone = '+12025550177';
    const user = await partner.verifiedUser({ preferred_language: 'es', phone, notify_by_whatsapp: true });
    const receipt = newReceipt();
    await setReceipt(at, receipt, received);
    const { id } = await partner.newCase(user.id, receipt);
    const baseline = await readCase(partner.call, id);

    const touched = { ...received, modified_date: '11-20-2025 10:00:00' };
    await setReceipt(at, receipt, touched);
    const afterTouch = await waitFor(async () => {
      const read = await readCase(partner.call, id);
      return read.status_updates[0]?.touched_at ? read : null;
    }, patience);
    expect(afterTouch.update_count).toBe(baseline.update_count);
    expect(afterTouch.status_updates).toEqual([
      { ...baseline.status_updates[0], touched_at: '2025-11-20 10:00:00' },
    ]);
    // Typography alone.
    const typography = { ...touched, desc_en: `${touched.desc_en.replace(', we', ',\u00a0we')} ` };
    await setReceipt(at, receipt, typography);

    await setReceipt(at, receipt, { ...typography, history: [entry] });
    const update = await waitFor(async () => {
      const [newest] = (await readCase(partner.call, id)).status_updates;
      return /sent|delivered/.test(String(newest?.email_notify_status)) && newest;
    }, patience);
    expect(update).toMatchObject({ kind: 'details', changes: ['history'], touched_at: null });
    expect((await readCase(partner.call, id)).update_count).toBe(2);

    const [mail, ...others] = (await mailsTo(at, user.email)).filter(({ subject }) =>
      subject.includes(receipt.slice(-4)),
    );
    expect(others).toEqual([]);
    expect(mail?.text).toContain(`5 de septiembre de 2023: ${entry.text_es}`);
    expect(mail?.text).toContain('El título y el texto del estado del caso son los mismos que antes.');
    expect(mail?.text).not.toContain('Lo que cambió es el texto');
    const [message] = await waitFor(async () => {
      const messages = await messagesTo(at, phone);
      return messages.length > 0 && messages;
    }, patience);
    expect(Object.values(message?.content_variables ?? {})[0]).toContain('Aprobamos su Formulario I-130');

    const events = await waitFor(async () => {
      const ours = await changesOf(id);
      return ours.length > 0 && ours;
    }, patience);
    expect(events).toHaveLength(1);
    expect(events[0].data).toMatchObject({
      case: { update_count: 2, latest_update: { changes: ['history'], spanish_source: 'uscis' } },
      status_update: { changes: ['history'], touched_at: null, spanish_source: 'uscis' },
      new_history: [{ date: '2023-09-05', status_code: entry.text_en, status_code_es: entry.text_es }],
    });

    const { browser } = await signInWithBrowser(at, user.email);
    const page = wordsOf((await browser.get(`/cases/FLOW${String(id).padStart(7, '0')}`)).text);
    expect(page).toMatch(/Nuevo en el historial 5 de septiembre de 2023 Aprobamos su Formulario I-130/);
    expect(page).toContain('Historial en USCIS');
    expect(page).not.toContain('Su texto cambió');
    const console = wordsOf((await opened.get(`/console/cases/${id}`)).text);
    expect(console).toMatch(/Changed: history .*New in the history 2023-09-05 We approved your Form I-130/);
    expect(console).toContain('USCIS touched its record on');
  });

  it('is shown to a person with the receipt number alone, and with links where USCIS names its pages', async () => {
    const user = await partner.verifiedUser({ preferred_language: 'es' });
    const receipt = newReceipt();
    const moved = 'Si se muda, vaya a www.uscis.gov/es/cambiodireccion para darnos su dirección.';
    await setReceipt(at, receipt, { ...received, desc_es: `${received.desc_es} ${moved}` });
    const { id } = await partner.newCase(user.id, receipt);
    await waitFor(async () => (await readCase(partner.call, id)).update_count > 0, patience);
    const { browser } = await signInWithBrowser(at, user.email);
    const { text } = await browser.get(`/cases/FLOW${String(id).padStart(7, '0')}`);
    expect(text).toContain(
      '<a href="https://www.uscis.gov/es/cambiodireccion">www.uscis.gov/<wbr>es/<wbr>cambiodireccion</a>',
    );
    expect(wordsOf(text)).toContain(receipt);
    expect(wordsOf(text)).not.toMatch(/Referencia|FLOW/);
  });

  it('stands once where a status comes back within a day', async () => {
    const user = await partner.verifiedUser();
    const receipt = newReceipt();
    await setReceipt(at, receipt, received);
    const { id } = await partner.newCase(user.id, receipt);
    const toldOf = async () => {
      const { status_updates } = await readCase(partner.call, id);
      return status_updates.filter(({ email_notify_status }) =>
        /sent|delivered/.test(String(email_notify_status)),
      );
    };
    await setReceipt(at, receipt, approved);
    await waitFor(async () => (await toldOf()).length === 1, patience);
    await setReceipt(at, receipt, received);
    await waitFor(async () => (await toldOf()).length === 2, patience);
    const { status_updates, update_count } = await readCase(partner.call, id);
    expect(update_count).toBe(3);
    expect(status_updates.map(({ kind, status_code }) => [kind, status_code])).toEqual([
      ['flap', 'Case Was Received'],
      ['status', 'Case Was Approved'],
      ['baseline', 'Case Was Received'],
    ]);
    const events = await waitFor(async () => {
      const ours = await changesOf(id);
      return ours.length >= 2 && ours;
    }, patience);
    expect(events.map(({ data }) => data.status_update.id).toSorted()).toEqual(
      status_updates
        .slice(0, 2)
        .map((update) => update.id)
        .toSorted(),
    );
  });
});
