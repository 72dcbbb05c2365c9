/** npm run pictures:film: writes the moving picture of the README from the running system (npm start). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  codePattern,
  createPartner,
  type DevFile,
  inMail,
  mailsTo,
  newReceipt,
  received,
  setReceipt,
  titled,
  until,
} from '@casewatch/driver';
import { decode } from 'fast-png';
import gifenc from 'gifenc';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { devFileOfRunning } from '../dev-files.ts';
import { parseOptions, ROOT } from '../options.ts';
import { type Browser, launchChromium, type Page } from '../pictures/browser.ts';
import { demoConsole } from '../seed/demo-console.ts';

const file = join(ROOT, 'docs/pictures/demo.gif');
/** Largest file that a README should load, bytes. */
const maxBytes = 3_000_000;
const stage = { width: 960, height: 600 };
const phone = { width: 360, height: 540 };
const wide = { width: 1160, height: 670 };
/** How long a reader needs for one picture, ms. */
const shownMs = 3_200;

type Scene = {
  readonly words: string;
  readonly more: string;
  readonly picture: Buffer;
  readonly isWide?: true;
};

try {
  const dev = devFileOfRunning(dataDirAt(parseOptions([], process.env).dataDir));
  const browser = await launchChromium();
  const bytes = encode(await draw(browser, await play(browser, dev)));
  await browser.close();
  if (bytes.length > maxBytes) throw new CliError(`The moving picture has ${bytes.length} bytes.`);
  writeFileSync(file, bytes);
  console.log(`written: docs/pictures/demo.gif, ${Math.round(bytes.length / 1_000)} KB`);
  process.exit(0);
} catch (err) {
  exitWith(err);
}

/** A person's evening and the firm's morning, on the real system: each scene is a picture of a page or a mail. */
async function play(browser: Browser, dev: DevFile): Promise<Scene[]> {
  const partner = createPartner(dev, dev.partner);
  const email = `ana.${Date.now()}@example.com`;
  const receipt = newReceipt();
  await setReceipt(dev, receipt, received);
  const { id } = await partner.newUser({ name: 'Ana Silva', email, preferred_language: 'en' });
  const added = await partner.newCase(id, receipt, { description: 'Petition for my husband' });
  const scenes: Scene[] = [];
  await fillMorning(dev);

  const context = await browser.newContext({ baseURL: dev.gateway_url, viewport: phone, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByLabel('Your e-mail address').fill('ana.silva@example.com');
  scenes.push({
    words: 'A person types one address.',
    more: 'No password, no app, no cost.',
    picture: await page.screenshot(),
  });

  await page.getByLabel('Your e-mail address').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  const code = await inMail(dev, email, codePattern);
  scenes.push({
    words: 'A code comes by mail.',
    more: 'Somebody new gets a link that opens an account.',
    picture: await mailPicture(page, dev, email, codePattern),
  });
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'My cases' }).waitFor();
  scenes.push({
    words: 'Their cases, in plain words.',
    more: 'In English, Spanish and Portuguese, on an old phone, without script.',
    picture: await page.screenshot(),
  });

  await setReceipt(dev, receipt, evidenceAsked());
  const caseLink = /\/(cases\/FLOW\d+)/;
  const mail = await mailPicture(page, dev, email, caseLink, 'What changed');
  scenes.push({
    words: 'USCIS changes the case.',
    more: 'A mail says what to do, and by when. WhatsApp and webhooks go out in the same seconds.',
    picture: mail,
  });
  await page.goto(`/${await inMail(dev, email, caseLink)}`);
  await show(page, 'Add this day to my calendar', 'end');
  scenes.push({
    words: 'One tap leads to the case.',
    more: 'What to do, what it means, the words of USCIS, and the day for the calendar.',
    picture: await page.screenshot(),
  });
  await context.close();

  const firm = await browser.newContext({ baseURL: dev.gateway_url, viewport: wide, locale: 'en-US' });
  const desk = await firm.newPage();
  await desk.goto(await demoConsole(dev, dev.partner));
  await desk.getByRole('button', { name: 'Open the console' }).click();
  await desk.waitForURL('**/console');
  for (const [path, words, more] of [
    [
      '/console/changes',
      'The firm’s morning: all changes.',
      'Urgent ones on top; one key marks a change as done.',
    ],
    [
      `/console/cases/${refOf(added.id)}`,
      'Who was told, and when.',
      'Every status, message and delivery of a case.',
    ],
  ] as const) {
    await desk.goto(path);
    if (path !== '/console/changes') await show(desk, 'Timeline');
    scenes.push({ words, more, picture: await desk.screenshot(), isWide: true });
  }
  await firm.close();
  return scenes;
}

/** Waits for the mail, and takes its picture as the phone shows it. */
async function mailPicture(
  page: Page,
  dev: DevFile,
  email: string,
  pattern: RegExp,
  words?: string,
): Promise<Buffer> {
  const find = async () => (await mailsTo(dev, email)).find(({ text }) => pattern.test(text ?? ''));
  const { html } = await until(find, { what: `a mail with ${pattern.source}`, timeoutMs: 60_000 });
  const tab = await page.context().newPage();
  await tab.setContent(html);
  if (words !== undefined) await show(tab, words);
  const picture = await tab.screenshot();
  await tab.close();
  return picture;
}

/** Scrolls until these words are the first line, or the last. */
async function show(page: Page, words: string, block: 'start' | 'end' = 'start'): Promise<void> {
  const line = page.getByText(words, { exact: true }).first();
  await line.evaluate((element, to) => element.scrollIntoView({ block: to }), block);
  await page.evaluate(`scrollBy(0, ${block === 'start' ? -24 : 24})`);
}

/** Cases of other people that change, too. */
async function fillMorning(dev: DevFile): Promise<void> {
  const partner = createPartner(dev, dev.partner);
  const changes = [
    ['Miguel Torres', 'Interview Was Scheduled'],
    ['Beatriz Costa', 'Case Was Approved'],
    ['Linh Tran', 'Biometrics Appointment Was Scheduled'],
    ['Omar Haddad', 'Card Was Mailed To Me'],
    ['Grace Mensah', 'Case Was Approved'],
  ] as const;
  const cases = await Promise.all(
    changes.map(async ([name, title]) => {
      const receipt = newReceipt();
      await setReceipt(dev, receipt, received);
      const { id } = await partner.newUser({ name, send_verification: false });
      return { id: (await partner.newCase(id, receipt)).id, receipt, title };
    }),
  );
  for (const { id, receipt, title } of cases) {
    await waitForUpdates(dev, id, 1);
    await setReceipt(dev, receipt, titled(title));
    await waitForUpdates(dev, id, 2);
  }
}

async function waitForUpdates(dev: DevFile, id: number, count: number): Promise<void> {
  const partner = createPartner(dev, dev.partner);
  const isThere = async () => {
    const { body } = await partner.call<{ update_count: number }>('GET', `/v1/client/cases/${id}`);
    return body.update_count >= count;
  };
  await until(isThere, { what: `${count} updates of a case`, timeoutMs: 60_000 });
}

/** Of today, so that the day for the answer is known. */
function evidenceAsked() {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date());
  return {
    ...titled('Request for Additional Evidence Was Sent'),
    desc_en: `On ${day}, we sent a request for additional evidence for your Form I-130, Petition for Alien Relative.`,
  };
}

function refOf(id: number): string {
  return `FLOW${String(id).padStart(7, '0')}`;
}

/** Each scene on the same stage: words, and beside or below them the picture. */
async function draw(browser: Browser, scenes: readonly Scene[]): Promise<Buffer[]> {
  const page = await browser.newPage({ viewport: stage });
  const drawn: Buffer[] = [];
  for (const [i, scene] of scenes.entries()) {
    await page.setContent(stageHtml(scene, `${i + 1} / ${scenes.length}`));
    drawn.push(await page.screenshot());
  }
  return drawn;
}

function stageHtml({ words, more, picture, isWide }: Scene, place: string): string {
  const source = `data:image/png;base64,${picture.toString('base64')}`;
  return `<!doctype html><style>
body { margin: 0; height: ${stage.height}px; display: flex; ${isWide ? 'flex-direction: column; justify-content: center; gap: 14px;' : 'align-items: center; gap: 56px;'} padding: 0 ${isWide ? 60 : 72}px; box-sizing: border-box; background: #e8effa; font-family: system-ui, sans-serif; color: #1b222b; }
h1 { font-size: ${isWide ? 26 : 34}px; line-height: 1.2; margin: 0 0 ${isWide ? 2 : 12}px; letter-spacing: -0.01em; }
p { font-size: ${isWide ? 17 : 20}px; line-height: 1.4; margin: 0; color: #4c5866; }
small { display: block; margin-bottom: ${isWide ? 2 : 12}px; font-size: 15px; color: #1d57ad; font-weight: 600; }
div { flex: ${isWide ? 'none' : 1}; }
img { display: block; border-radius: 14px; border: 1px solid #b9c6d8; box-shadow: 0 8px 24px #1b222b2e; ${isWide ? `width: ${stage.width - 120}px` : `height: ${phone.height}px`}; }
</style><div><small>${place}</small><h1>${words}</h1><p>${more}</p></div><img src="${source}" alt="">`;
}

function encode(pictures: readonly Buffer[]): Uint8Array {
  const gif = gifenc.GIFEncoder();
  for (const png of pictures) {
    const { data, width, height, channels } = decode(png);
    const rgba = channels === 4 ? Uint8Array.from(data) : withAlpha(data);
    const palette = gifenc.quantize(rgba, 256);
    gif.writeFrame(gifenc.applyPalette(rgba, palette), width, height, { palette, delay: shownMs, repeat: 0 });
  }
  gif.finish();
  return gif.bytes();
}

function withAlpha(rgb: ArrayLike<number>): Uint8Array {
  const rgba = new Uint8Array((rgb.length / 3) * 4).fill(255);
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4)
    for (let i = 0; i < 3; i++) rgba[to + i] = rgb[from + i] ?? 0;
  return rgba;
}
