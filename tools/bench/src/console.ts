/** G12: how many requests to services a page of the console needs, and a second look at the page within five seconds. */
import { expectStatus, newReceipt, received, setReceipt } from '@casewatch/driver';
import { judge, numberOptions, say } from './kit/report.ts';
import { addWatchers, type System, withSystem } from './kit/system.ts';

numberOptions({});

await withSystem('console: requests to services for a page', {}, async (system) => {
  const { partner, dev } = system;
  const receipt = newReceipt();
  await setReceipt(dev, receipt, received);
  const [watcher] = await addWatchers(system, { receipts: [receipt], perReceipt: 1 });
  const { id: webhook } = await partner.newWebhook('console');
  const { body } = await partner.call<{ cases: { user_case_id: string }[] }>('GET', '/v1/client/cases');
  const cookie = await signIn(system);
  const paths = [
    '/console',
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
    const again = await countOf(path, first.etag);
    say(`${path.replace(/\d+$/, '…')}: ${first.count}, again ${again.count}`);
    most = Math.max(most, first.count);
    mostAgain = Math.max(mostAgain, again.count);
  }
  judge('G12 requests to services for a page, the most', most, { atMost: 5 });
  judge('G12 requests to services for a second look, the most', mostAgain, { atMost: 1 });

  async function countOf(path: string, etag: string | null = null) {
    const before = await requestsOfServices(system);
    const headers = { cookie, ...(etag !== null && { 'if-none-match': etag }) };
    const answer = await fetch(dev.gateway_url + path, { headers, redirect: 'manual' });
    await answer.text();
    if (![200, 304].includes(answer.status)) throw new Error(`${path} answered ${answer.status}`);
    return { count: (await requestsOfServices(system)) - before, etag: answer.headers.get('etag') };
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
