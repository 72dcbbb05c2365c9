import { type Browser, type BrowserContext, launchChromium, type Page } from '@casewatch/dev/browser';
import { keyHeaders, type PartnerWithKey, succeed } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

type Member = { id: number; page: Page; context: BrowserContext };
type Stored = { alerts: Record<string, unknown>; away_until: string | null; time_zone: string | null };

/** What a member hears: changed by the member, by an owner, and for members to come. No script is needed. */
describe('the alerts of a firm in the console', () => {
  let at: DevFile;
  let firm: PartnerWithKey;
  let browser: Browser;
  let owner: Member;
  let viewer: Member;

  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Alert Law');
    browser = await launchChromium();
    owner = await join('Olivia Owens', 'owner');
    viewer = await join('Vera Vance', 'viewer');
  });
  afterAll(async () => {
    await browser?.close();
  });

  const byKey = <T>(method: string, path: string, body?: object) =>
    succeed<T>(at, method, { as: keyHeaders(firm), path, ...(body && { body }) });
  const stored = async ({ id }: Member) =>
    (await byKey<{ staff_member: Stored }>('GET', `/v1/client/staff/${id}`)).staff_member;

  async function join(name: string, role: string): Promise<Member> {
    const email = `${role}.${Date.now().toString(36)}@alert-law.example`;
    const body = { email, name, role };
    const { staff_member } = await byKey<{ staff_member: { id: number } }>('POST', '/v1/client/staff', body);
    const context = await browser.newContext({ baseURL: at.gateway_url, javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(`/console/invitation?token=${await invitationTo(at, email)}`);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.waitForURL('**/console');
    return { id: staff_member.id, context, page };
  }

  it('are changed by a viewer, who may change nothing else', async () => {
    const { page } = viewer;
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByLabel('Immediate e-mails').selectOption({ label: 'What I choose below' });
    await page.getByText('Choose categories').click();
    await page.getByLabel('Card', { exact: true }).check();
    await page.getByLabel('Which cases').selectOption('all');
    await page.getByLabel('Time of the summary').fill('06:45');
    await page.getByLabel('Quiet hours').uncheck();
    await page.getByLabel('Time zone').fill('America/Chicago');
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('The changes are saved.').waitFor();
    expect((await stored(viewer)).alerts).toEqual({
      immediate: ['urgent', 'card'],
      scope: 'all',
      digest: 'weekdays',
      digest_at: '06:45',
      quiet_hours: null,
    });
    await page.getByLabel('Time zone').fill('America/Chicago');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The changes are saved.').waitFor();
    const back = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Away until').fill(back);
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('The changes are saved.').waitFor();
    expect(await page.getByLabel('Away until').inputValue()).toBe(back);
    // Midnight in Chicago.
    expect((await stored(viewer)).away_until).toMatch(new RegExp(`^${back} 0[56]:00:00$`));
    const path = `/console/staff/${owner.id}/alerts`;
    const headers = { origin: new URL(at.gateway_url).origin };
    const refused = await viewer.context.request.post(path, { form: {}, headers, maxRedirects: 0 });
    expect(refused.status()).toBe(403);
  });

  it('keep what was typed where it is refused, and say why', async () => {
    const { page } = viewer;
    await page.goto('/console/alerts');
    await page.getByLabel('Away until').fill('2099-01-01');
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('must be at most one year ahead').first().waitFor();
    expect(await page.getByLabel('Away until').inputValue()).toBe('2099-01-01');
    expect((await stored(viewer)).alerts).toMatchObject({ immediate: ['urgent', 'card'] });
  });

  it('of a colleague are changed by an owner, who ends an absence, too', async () => {
    const { page } = owner;
    await page.goto(`/console/staff/${viewer.id}`);
    await page.getByLabel('Immediate e-mails').selectOption({ label: 'Urgent changes' });
    await page.getByLabel('Away until').fill('');
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('The changes are saved.').waitFor();
    const { alerts, away_until } = await stored(viewer);
    expect([alerts, away_until]).toEqual([
      expect.objectContaining({ immediate: ['urgent'], scope: 'all' }),
      null,
    ]);
  });

  it('of members to come, and whether mails name clients, are settings', async () => {
    const { page } = owner;
    await page.goto('/console/settings');
    await page.getByLabel('E-mails to staff name the client').uncheck();
    await page.getByLabel('Summary', { exact: true }).selectOption('off');
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('The changes are saved.').waitFor();
    type Profile = { client: { names_in_mails: boolean; new_member_alerts: object } };
    const { client } = await byKey<Profile>('GET', '/v1/client/profile');
    expect(client).toMatchObject({
      names_in_mails: false,
      new_member_alerts: { digest: 'off', scope: 'mine' },
    });
  });
});
