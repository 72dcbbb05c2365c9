import { type Browser, type BrowserContext, launchChromium, type Page } from '@casewatch/dev/browser';
import {
  keyHeaders,
  newReceipt,
  type PartnerWithKey,
  received,
  setReceipt,
  succeed,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

type Member = { id: number; email: string; name: string; context: BrowserContext; page: Page };

/** Fifteen colleagues on Monday: a firm lets its people in, without an engineer. The tests run in this order. */
describe('the staff of a firm', () => {
  let at: DevFile;
  let firm: PartnerWithKey;
  let browser: Browser;
  let owner: Member;
  let editor: Member;
  let viewer: Member;
  let casePath: string;
  const messages: string[] = [];

  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Monday Law');
    browser = await launchChromium();
    const email = addressOf('owner');
    const body = { email, name: 'Olivia Owens', role: 'owner' };
    const { staff_member } = await byKey<{ staff_member: { id: number } }>('POST', '/v1/client/staff', body);
    owner = await join(staff_member.id, email, 'Olivia Owens');
  });
  afterAll(async () => {
    await browser?.close();
  });

  const addressOf = (who: string) => `${who}.${Date.now().toString(36)}@monday.example`;
  const byKey = <T>(method: string, path: string, body?: object) =>
    succeed<T>(at, method, { as: keyHeaders(firm), path, ...(body && { body }) });

  /** Opens the invitation in a browser of its own and presses its button. */
  async function join(id: number, email: string, name: string): Promise<Member> {
    const context = await browser.newContext({ baseURL: at.gateway_url });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`/console/invitation?token=${await invitationTo(at, email)}`);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.waitForURL('**/console');
    return { id, email, name, context, page };
  }

  async function invite(name: string, role: string): Promise<Member> {
    const { page } = owner;
    const email = addressOf(role);
    await page.goto('/console/staff/new');
    await page.getByLabel('Full name').fill(name);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Role').selectOption(role);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('The invitation is on its way.').waitFor();
    const { staff } = await byKey<{ staff: Member[] }>('GET', '/v1/client/staff?limit=100');
    return await join(staff.find((one) => one.email === email)?.id ?? 0, email, name);
  }

  it('is invited by the owner, and each signs in alone', async () => {
    editor = await invite('Eduardo Edison', 'editor');
    viewer = await invite('Vera Vance', 'viewer');
    for (const { page, name } of [editor, viewer]) await page.getByText(name).first().waitFor();
  });

  it('adds a case as editor, and the acknowledgement names the editor', async () => {
    const { page } = editor;
    const receipt = newReceipt();
    await setReceipt(at, receipt, received);
    await page.goto('/console/users/new');
    await page.getByLabel('Full name').fill('Ana Silva');
    await page.getByLabel('E-mail address').fill(addressOf('ana'));
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('link', { name: 'Add a case' }).first().click();
    await page.getByLabel('Receipt number').fill(receipt);
    await page.getByLabel('The user or their counsel has authorized access to the case status.').check();
    await page.getByRole('button', { name: 'Add case' }).click();
    await page.getByRole('heading', { name: 'Case Was Received' }).waitFor();
    casePath = new URL(page.url()).pathname;
    await page.locator('dd', { hasText: 'Eduardo Edison' }).waitFor();
  });

  it('reads everything as viewer and changes nothing: neither by buttons nor by forms of its own', async () => {
    const { page } = viewer;
    await page.goto(casePath);
    await page.getByRole('heading', { name: 'Case Was Received' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Staff' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Activity', exact: true }).count()).toBe(0);
    const origin = new URL(at.gateway_url).origin;
    for (const path of [
      `${casePath}/pause`,
      '/console/users/new',
      '/console/staff/new',
      `/console/staff/${owner.id}/remove`,
    ]) {
      const answer = await viewer.context.request.post(path, {
        form: { name: 'X' },
        headers: { origin },
        maxRedirects: 0,
      });
      expect({ path, status: answer.status() }).toEqual({ path, status: 403 });
    }
    for (const path of ['/console/staff', '/console/activity', '/console/keys'])
      expect((await viewer.context.request.get(path)).status()).toBe(403);
    type Records = { records: { operation: string; status: number }[] };
    const isRecorded = async () => {
      const { records } = await byKey<Records>('GET', `/v1/client/audit?actor=staff:${viewer.id}&limit=100`);
      const refused = records.filter(({ status }) => status === 403).map(({ operation }) => operation);
      return refused.includes('page /console/staff/new') && refused.includes('page /console/activity');
    };
    await waitFor(isRecorded, { what: 'the records of what was refused' });
  });

  it('did what the owner reads in the activity', async () => {
    const { page } = owner;
    const isShown = async () => {
      await page.goto(`/console/activity?actor=staff:${editor.id}`);
      return (await page.getByText('Create a case').count()) > 0;
    };
    await waitFor(isShown, { timeoutMs: 30_000, what: 'the creation of the case' });
    expect(await page.getByText('Eduardo Edison').count()).toBeGreaterThan(0);
    await page
      .getByRole('link', { name: /^case \d+$/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Case Was Received' }).waitFor();
    await page.getByRole('link', { name: 'Activity of this case' }).click();
    await page.getByText('Create a case').first().waitFor();
  });

  it('loses the editor, whose cases somebody else gets and whose open page ends within two seconds', async () => {
    const caseId = casePath.split('/').at(-1);
    await byKey('PUT', `/v1/client/cases/${caseId}`, { assignee_id: editor.id });
    await editor.page.goto('/console/cases');
    const { page } = owner;
    await page.goto(`/console/staff/${editor.id}`);
    await page.getByText('Remove…').click();
    await page.getByLabel('Who gets the cases').selectOption({ label: 'Vera Vance' });
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('The member was removed').waitFor();
    const removedAt = performance.now();
    let lastServedAt = removedAt;
    const isOut = async () => {
      const askedAt = performance.now();
      const isServed = (await editor.context.request.get('/console/cases')).status() !== 401;
      if (isServed) lastServedAt = askedAt;
      return !isServed;
    };
    await waitFor(isOut, { timeoutMs: 30_000, intervalMs: 100, what: 'the end of the session' });
    // Whatever is asked two seconds later is refused, however long a busy machine takes for an answer.
    expect(lastServedAt - removedAt).toBeLessThan(2_000);
    await editor.page.reload();
    await editor.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    const assigneeOf = async () =>
      (await byKey<{ case: { assignee: { id: number } | null } }>('GET', `/v1/client/cases/${caseId}`)).case
        .assignee;
    await waitFor(async () => (await assigneeOf())?.id === viewer.id, { what: 'the other member’s case' });
    expect(messages).toEqual([]);
  });

  it('sees the own sessions, and signs out everywhere', async () => {
    const { page, context, email } = viewer;
    await page.goto('/console/settings');
    await page.getByRole('link', { name: 'Where you are signed in' }).click();
    await page.getByText('This one').waitFor();
    expect(await page.getByText(/Chrome on/).count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL('**/console/signed-out');
    expect((await context.request.get('/console/cases')).status()).toBe(401);
    expect(email).toContain('viewer');
  });
});
