/** npm run pictures:mails: writes a picture of each mail and page to docs/mails, in light and dark. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ROOT } from '../options.ts';
import { launchChromium } from './browser.ts';
import { galleryOf } from './gallery.ts';
import { mailSamples } from './mail-samples.ts';
import { pageSamples } from './page-samples.ts';
import { reducePng } from './reduce-png.ts';
import type { Sample } from './sample.ts';

const folder = join(ROOT, 'docs/mails');
const schemes = ['light', 'dark'] as const;

const browser = await launchChromium();
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) rmSync(join(folder, file));
for (const sample of mailSamples) await takePictures(browser, sample, 600);
for (const sample of pageSamples) await takePictures(browser, sample, 320);
writeFileSync(join(folder, 'README.md'), galleryOf(mailSamples, pageSamples));
await browser.close();
console.log(`written: ${readdirSync(folder).length} files in docs/mails`);

async function takePictures(
  browser: Browser,
  { name, language, html }: Sample,
  width: number,
): Promise<void> {
  for (const colorScheme of schemes) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 100 } });
    await page.setContent(html(language));
    const picture = await page.screenshot({ fullPage: true });
    writeFileSync(join(folder, `${name}-${colorScheme}.png`), reducePng(picture));
    await page.close();
  }
}
