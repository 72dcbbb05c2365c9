/** npm run screenshots: writes the pictures of the README from the running system (npm start, npm run demo:history). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPartner, type DevFile, expectStatus } from '@casewatch/driver';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { devFileOfRunning } from '../dev-files.ts';
import { parseOptions, ROOT } from '../options.ts';
import { type BrowserContext, launchChromium } from '../pictures/browser.ts';
import { demoConsole } from '../seed/demo-console.ts';

const folder = join(ROOT, 'docs/pictures');

try {
  const dev = devFileOfRunning(dataDirAt(parseOptions([], process.env).dataDir));
  const browser = await launchChromium();
  const context = await browser.newContext({ baseURL: dev.gateway_url, timezoneId: 'America/New_York' });
  await enter(context, dev);
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(await pathsOf(dev))) await takePicture(context, name, path);
  await browser.close();
  console.log('written: docs/pictures');
  process.exit(0);
} catch (err) {
  exitWith(err);
}

async function enter(context: BrowserContext, dev: DevFile): Promise<void> {
  const page = await context.newPage();
  await page.goto(await demoConsole(dev, dev.partner));
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.waitForURL('**/console');
  await page.close();
}

/** A case whose status changed, and the endpoint that fails. */
async function pathsOf(dev: DevFile): Promise<Record<string, string>> {
  const partner = createPartner(dev, dev.partner);
  type Cases = { cases: { user_case_id: string; update_count: number }[] };
  type Webhooks = { webhooks: { id: number; failing_since: string | null }[] };
  const { cases } = expectStatus(
    'list cases',
    await partner.call<Cases>('GET', '/v1/client/cases?limit=100'),
    200,
  );
  const { webhooks } = expectStatus(
    'list webhooks',
    await partner.call<Webhooks>('GET', '/v1/webhooks'),
    200,
  );
  const changed = cases.find(({ update_count }) => update_count > 1);
  const failing = webhooks.find(({ failing_since }) => failing_since !== null);
  if (!changed || !failing) throw new CliError('The demo has no history: run npm run demo:history first.');
  return {
    'console-case': `/console/cases/${changed.user_case_id}`,
    'console-endpoint': `/console/webhooks/${failing.id}`,
  };
}

async function takePicture(context: BrowserContext, name: string, path: string): Promise<void> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 820 });
  await page.goto(path);
  writeFileSync(join(folder, `${name}.png`), await page.screenshot());
  await page.close();
}
