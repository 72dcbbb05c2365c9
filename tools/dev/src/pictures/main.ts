/** npm run pictures:mails: writes a picture of each mail and page to docs/mails, in light and dark. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '@casewatch/contracts';
import type { Browser } from 'playwright-core';
import { ROOT } from '../options.ts';
import { launchChromium } from './browser.ts';
import { mailSamples } from './mail-samples.ts';
import { pageSamples } from './page-samples.ts';
import type { Sample } from './sample.ts';

const folder = join(ROOT, 'docs/mails');
const schemes = ['light', 'dark'] as const;
const languages: Record<Language, string> = { en: 'English', es: 'Spanish', pt: 'Portuguese' };

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
    writeFileSync(join(folder, `${name}-${colorScheme}.png`), await page.screenshot({ fullPage: true }));
    await page.close();
  }
}

/** The text of docs/mails/README.md. */
function galleryOf(mails: readonly Sample[], pages: readonly Sample[]): string {
  return `# Mails, and the pages that they lead to

Written by \`npm run pictures:mails\`, with made-up content. Each picture shows one of the three languages; the light
and the dark scheme stand side by side. The texts are in \`services/notifier/src/templates\`,
\`services/notifier/src/http/pages\` and \`services/identity/src/http/pages\`.

## Mails

${mails.map(row).join('\n')}
## Pages, on a phone

${pages.map(row).join('\n')}`;
}

function row({ name, purpose, language }: Sample): string {
  const picture = (scheme: string) => `![${name}, ${scheme}](${name}-${scheme}.png)`;
  return `**${purpose}** ${languages[language]}.

| | |
|---|---|
| ${picture('light')} | ${picture('dark')} |
`;
}
