import {
  createPartner,
  hooksOf,
  inMail,
  newReceipt,
  type Partner,
  type PartnerWithKey,
  received,
  setFaults,
  setReceipt,
  tell,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Console, consoleLink, enterConsole } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

const verifyLink = /(https?:\/\/\S+\/v1\/users\/verify-email\?token=[^\s>)]+)/;

/** Words of a page, without markup. */
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the console of one partner', () => {
  let at: DevFile;
  let keys: PartnerWithKey;
  let partner: Partner;
  let opened: Console;
  let user: { id: number; email: string };
  let receipt: string;
  let casePath: string;
  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    keys = await newPartner(system.dataDir, 'Screens Law');
    partner = createPartner(at, keys);
    opened = await enterConsole(at, await consoleLink(at, keys));
    user = await partner.verifiedUser({ name: 'Sofía Ñuñez' });
    receipt = newReceipt();
    await setReceipt(at, receipt, received);
    await partner.newWebhook('screens', ['*']);
    casePath = `/console/cases/${(await partner.newCase(user.id, receipt, { description: 'Green card' })).id}`;
  });

  /** The page, as soon as it has these words. */
  async function pageWith(path: string, words: RegExp): Promise<string> {
    const read = async () => {
      const { text } = await opened.get(path);
      return words.test(wordsOf(text)) ? text : null;
    };
    return await waitFor(read, { timeoutMs: 60_000, intervalMs: 250, what: `${words.source} at ${path}` });
  }

  it('checks a case immediately, shows the change, who was told, and which endpoint received it', async () => {
    const first = wordsOf((await opened.get(casePath)).text);
    expect(first).toMatch(
      /Authorized access Acknowledged .* By You, with API key \d+ Version of the text \d{4}-/,
    );
    const recent = await opened.post(`${casePath}/check`, {});
    expect(recent.headers.get('location')).toMatch(/\?checked=cache$/);
    expect(wordsOf((await opened.get(`${casePath}?checked=cache`)).text)).toContain(
      'USCIS was not asked again',
    );
    await setReceipt(at, receipt, titled('Case Was Approved'));
    const text = await pageWith(
      casePath,
      /Case Was Approved .* Your systems .*\/hooks\/screens Delivered HTTP 200/,
    );
    const [, delivery = ''] = /href="(\/console\/webhooks\/\d+\/deliveries\/[^"]+)"/.exec(text) ?? [];
    expect(wordsOf((await opened.get(delivery)).text)).toContain('case.status_updated');
  });

  it('says why a case cannot be checked now, and changes nothing', async () => {
    const other = newReceipt();
    await setFaults(at, { mode: 'status', status: 503, receipts: [other] });
    const { id } = await partner.newCase(user.id, other, { first_check: 'deferred' });
    const refused = await opened.post(`/console/cases/${id}/check`, {});
    await setFaults(at, { mode: 'none' });
    expect(refused.status).toBe(503);
    expect(refused.text).toMatch(/class="notice bad" role="alert"><p>[^<]*USCIS/);
  });

  it('finds cases by user, day and state, and users by a part of the name', async () => {
    const cases = async (query: string) => wordsOf((await opened.get(`/console/cases?${query}`)).text);
    expect(await cases(`user=${encodeURIComponent(user.email)}`)).toContain('Green card');
    expect(await cases(`user=${user.id}&monitoring=watched&category=&since=2026-01-01`)).toContain(receipt);
    expect(await cases('user=nobody%40example.com')).toContain('No case matches');
    expect(await cases('since=2100-01-01')).toContain('No case matches');
    expect(await cases('monitoring=rejected')).toContain('No case matches');
    expect(wordsOf((await opened.get('/console/users?name=nunez')).text)).toContain('Sofía Ñuñez');
    expect(wordsOf((await opened.get('/console/users?name=pereira')).text)).toContain('No user matches');
  });

  it('lists who has not confirmed the address, and one press sends the mail again', async () => {
    const { id, email } = await partner.newUser({ name: 'Rosa Medina' });
    await inMail(at, email, verifyLink);
    const list = '/console/users?verified=false';
    const row = async () =>
      /<tr>(?:(?!<\/tr>)[\s\S])*Rosa Medina[\s\S]*?<\/tr>/.exec((await opened.get(list)).text)?.[0];
    const buttonIn = (html = '') =>
      /<form method="post" action="([^"]+)"><input type="hidden" name="back" value="([^"]+)">/.exec(html) ??
      [];
    const [, action, from] = buttonIn(await row());
    expect([action, from]).toEqual([`/console/users/${id}/resend-verification`, list]);
    const pressed = await opened.post(String(action), { back: String(from) });
    expect(pressed.headers.get('location')).toBe(`${list}&done=resent`);
    const back = await opened.get(String(pressed.headers.get('location')));
    expect(wordsOf(back.text)).toContain('A new verification e-mail was sent.');
    // Filters and place of the list stay; what an earlier press said does not.
    const place = '/console/users?name=rosa&verified=false';
    const again = await opened.post(String(action), { back: `${place}&done=limited` });
    expect(again.headers.get('location')).toBe(`${place}&done=resent`);
    const elsewhere = await opened.post(String(action), { back: 'https://evil.example/console/users' });
    expect(elsewhere.headers.get('location')).toBe('/console/users?done=resent');
    const link = await inMail(at, email, verifyLink, { nth: 3 });
    expect((await fetch(link, { headers: { accept: 'application/json' } })).status).toBe(200);
    expect(await row()).toBeUndefined();
    expect(wordsOf((await opened.get('/console/users?verified=true')).text)).toContain('Rosa Medina');
  });

  it('sends the headers of an endpoint, never shows their values, and keeps or removes them', async () => {
    const fields = { url: `${at.receiver_url}/hooks/own`, description: 'Own headers', events: 'webhook.*' };
    const typed = { ...fields, rate_limit: '20', headers: 'X-Api-Key: value-of-the-key\nX-Office: Lisbon' };
    const made = await opened.post('/console/webhooks/new', typed);
    const [, path = ''] = /href="(\/console\/webhooks\/\d+)"/.exec(made.text) ?? [];
    const keyOfTest = async () => {
      await opened.post(`${path}/test`, {});
      return (await hooksOf(at, 'own')).at(-1)?.headers['x-api-key'];
    };
    expect(await keyOfTest()).toBe('value-of-the-key');
    const edit = (await opened.get(`${path}/edit`)).text;
    expect(edit).toMatch(/Now: x-api-key, x-office\./i);
    expect(edit).not.toContain('value-of-the-key');
    expect(edit).toMatch(/name="rate_limit"[^>]*value="20"/);
    await opened.post(`${path}/edit`, { ...fields, rate_limit: '30', headers: '' });
    expect(await keyOfTest()).toBe('value-of-the-key');
    await opened.post(`${path}/edit`, { ...fields, rate_limit: '30', headers: '', without_headers: 'on' });
    expect(await keyOfTest()).toBeUndefined();
    const wrong = await opened.post(`${path}/edit`, { ...fields, rate_limit: 'many', headers: 'no colon' });
    expect(wrong.status).toBe(400);
    expect(wordsOf(wrong.text)).toMatch(/number from 1 to 5,000\..*Write each header as/);
  });

  it('names the case of each delivery, shows how long the endpoint took, and one press retries all that failed', async () => {
    const { id } = await partner.newWebhook('weak', ['case.created', 'user.created']);
    const page = `/console/webhooks/${id}`;
    const hook = `${at.receiver_url}/sandbox/hooks/weak`;
    await tell(hook, { status: 500, headers: { 'retry-after': '3600' } });
    const another = newReceipt();
    await partner.newUser();
    await partner.newCase(user.id, another, { first_check: 'deferred' });
    const failed = await pageWith(page, /Waiting 1 http_500 .* Waiting 1 http_500 /);
    expect(failed).toContain(`>${another}</a>`);
    expect(wordsOf(failed)).toMatch(/Last attempts of the deliveries below: median \d+ ms, at most \d+ ms/);
    expect(failed).toMatch(/<svg class="bars"[^>]* aria-label="Last attempts of the deliveries below: /);
    await tell(hook, { status: 200, headers: null });
    const form = /class="form">((?:(?!<\/form>)[\s\S])*)>Retry all failed/;
    const [, fields = ''] = form.exec(failed) ?? [];
    const typed = Object.fromEntries(
      [...fields.matchAll(/name="([^"]+)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
    );
    const pressed = await opened.post(`${page}/replay`, typed);
    expect(pressed.headers.get('location')).toMatch(new RegExp(`^${page}/replays/\\d+$`));
    const both =
      /case\.created (?:(?!user\.created).)*Delivered 2 HTTP 200 .*user\.created .*Delivered 2 HTTP 200 /;
    const done = await pageWith(page, both);
    expect(done).not.toContain('Retry all failed');
  });

  it('counts on the overview what happened, and lists a user whose address bounced with the reason', async () => {
    expect(await pageWith('/console/overview', /Changes 1 1 Messages/)).toContain(
      'aria-label="Changes in 24 hours: 1,',
    );
    const url = `${at.gateway_url}/v1/callbacks/email/resend`;
    const report = { provider: 'resend', event: 'bounce', to: user.email, url };
    await tell(`${at.mail_url}/sandbox/reports`, report, 'POST');
    await pageWith('/console/overview', /Sofía Ñuñez gets no e-mails since .* Not reachable/);
    await pageWith(`/console/users/${user.id}`, /E-mail messages Off Not reachable/);
    await pageWith(`/console/users/${user.id}`, /Who was told Changed .* E-mail .* WhatsApp/);
  });

  it('lists what changed last and what is urgent by queries, with a link to the rest', async () => {
    const receipts = Array.from({ length: 13 }, () => newReceipt());
    for (const number of receipts) await setReceipt(at, number, titled('Case Was Denied'));
    const [oldest, ...others] = receipts as [string, ...string[]];
    await setReceipt(at, oldest, received);
    await partner.newCase(user.id, oldest, { description: 'The oldest case' });
    for (const [i, number] of others.entries())
      await partner.newCase(user.id, number, { description: `Denied ${i}` });
    const before = wordsOf((await opened.get('/console/overview')).text);
    // All were denied before they were added: no change, but urgent.
    expect(before).toMatch(/Denied 11 .* Denied 10 .* Denied 9 .* 9 more Urgent/);
    expect(before.split('Recent changes').at(-1)).not.toMatch(/Denied \d/);
    await setReceipt(at, oldest, titled('Request for Additional Evidence Was Sent'));
    const after = await pageWith('/console/overview', /Needs attention .*The oldest case/);
    // The client first, as in every list.
    const rowOf = (number: string, text: string) => `Sofía Ñuñez ${number} ${text}`;
    expect(wordsOf(after)).toMatch(
      new RegExp(`Needs attention ${rowOf(oldest, 'The oldest case')} .* Denied 11 .* Denied 10 .* 10 more`),
    );
    expect(wordsOf(after).split('Recent changes').at(-1)).toMatch(
      new RegExp(`${rowOf(oldest, 'The oldest case')} .* Additional Evidence`),
    );
    const href = /href="([^"]*)">10 more</.exec(after)?.[1]?.replaceAll('&amp;', '&');
    const rest = wordsOf((await opened.get(href ?? 'no link')).text);
    for (const text of ['The oldest case', 'Denied 0', 'Denied 11']) expect(rest).toContain(text);
    expect(rest).not.toContain('Green card');
    expect(rest.indexOf('The oldest case')).toBeLessThan(rest.indexOf('Denied 11'));
  });
});
