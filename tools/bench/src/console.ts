/** G12: how many requests to services a page of the console needs, and a second look at the page within five seconds. */
import { expectStatus, newReceipt, received, setReceipt } from '@casewatch/driver';
import { judge, numberOptions, say } from './kit/report.ts';
import { addWatchers, type System, withSystem } from './kit/system.ts';

numberOptions({});

/** More than the page of a user reads messages of. */
const casesOfUser = 12;

await withSystem('console: requests to services for a page', {}, async (system) => {
  const { partner, dev } = system;
  const [first = newReceipt(), ...others] = Array.from({ length: casesOfUser }, () => newReceipt());
  for (const receipt of [first, ...others]) await setReceipt(dev, receipt, received);
  const [watcher] = await addWatchers(system, { receipts: [first], perReceipt: 1 });
  for (const receipt of others) await partner.newCase(watcher?.id ?? 0, receipt);
  const { id: webhook } = await partner.newWebhook('console');
  const { body } = await partner.call<{ cases: { user_case_id: string }[] }>('GET', '/v1/client/cases');
  const cookie = await signIn(system);
  const paths = [
    '/console',
    '/console/overview',
    '/console/cases',
    `/console/cases/${body.cases[0]?.user_case_id}`,
    '/console/users',
    `/console/users/${watcher?.id}`,
    '/console/webhooks',
    `/console/webhooks/${webhook}`,
    '/console/keys',
    '/console/settings',
  ];
  let [most, mostAgain] = [0, 0];
  for (const path of paths) {
    const first = await countOf(path);
    most = Math.max(most, first.count);
    // A page that is not live asks nothing again.
    const again = first.digests === null ? null : await countOf(path, first.digests);
    mostAgain = Math.max(mostAgain, again?.count ?? 0);
    say(`${path.replace(/\d+$/, '…')}: ${first.count}, again ${again?.count ?? 'never'}`);
  }
  judge('G12 requests to services for a page, the most', most, { atMost: 5 });
  judge('G12 requests to services for a second look, the most', mostAgain, { atMost: 1 });

  /** `digests`: what an open page sends back of its first answer, to ask whether there is something new (second-look.ts). */
  async function countOf(path: string, digests = '') {
    const before = await requestsOfServices(system);
    const headers = { cookie, ...(digests !== '' && { 'second-look': `0 ${digests}` }) };
    const answer = await fetch(dev.gateway_url + path, { headers, redirect: 'manual' });
    const text = await answer.text();
    if (![200, 204].includes(answer.status)) throw new Error(`${path} answered ${answer.status}`);
    const [, seen = null] = /<main[^>]* data-live="([^"]*)"/.exec(text) ?? [];
    return { count: (await requestsOfServices(system)) - before, digests: seen };
  }
});

/** Opens the console with a link, as a browser does. @returns its cookie */
async function signIn({ partner, dev }: System): Promise<string> {
  const path = '/v1/client/console-links';
  const answer = await partner.call<{ console_link: { url: string } }>('POST', path, { actor: 'Bench' });
  const { url } = expectStatus('console link', answer, 200).console_link;
  const entered = await fetch(`${dev.gateway_url}/console/enter`, {
    method: 'POST',
    headers: { origin: new URL(dev.gateway_url).origin },
    body: new URLSearchParams({ token: new URL(url).searchParams.get('token') ?? '' }),
    redirect: 'manual',
  });
  return entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** HTTP requests that the services behind the gateway have answered, by their metrics. */
async function requestsOfServices({ dev }: System): Promise<number> {
  const behind = Object.entries(dev.metrics_urls).filter(([name]) => name !== 'gateway');
  const texts = await Promise.all(behind.map(async ([, url]) => (await fetch(url)).text()));
  const counts = texts.flatMap((text) => [
    ...text.matchAll(/^http_server_request_duration_seconds_count\{[^}]*\} (\d+)/gm),
  ]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
