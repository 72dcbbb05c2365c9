/** npm run lighthouse: writes docs/lighthouse.md from the running system (npm start, npm run demo:history). Exit code 1: a page is below 100. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { devFileOfRunning } from '../dev-files.ts';
import { parseOptions, ROOT } from '../options.ts';
import { launchWithPort } from '../pictures/browser.ts';
import { freePort } from '../servers/index.ts';
import { installLighthouse, lighthouseVersion } from './install-lighthouse.ts';
import { mainPages, signInPage } from './main-pages.ts';
import { categories, scoresOf } from './scores-of.ts';

const names = Object.values(categories);
/** Another program that needs the processor lowers a score, so the best run counts. */
const runs = 5;

type Result = Awaited<ReturnType<typeof scoresOf>>;
const sumOf = ({ scores }: Result) => scores.reduce((sum, score) => sum + score, 0);
const isFull = (result: Result) => sumOf(result) === 100 * names.length;

try {
  const dev = devFileOfRunning(dataDirAt(parseOptions([], process.env).dataDir));
  const program = await installLighthouse();
  const port = await freePort();
  const context = await launchWithPort(port, dev.gateway_url);
  const rows: string[] = [];
  let isPerfect = true;
  const measure = async ({ name, path }: typeof signInPage) => {
    const url = new URL(path, dev.gateway_url).href;
    let best = await scoresOf({ program, port, url });
    for (let run = 2; run <= runs && !isFull(best); run++) {
      const next = await scoresOf({ program, port, url });
      if (sumOf(next) > sumOf(best)) best = next;
    }
    const { scores, faults } = best;
    isPerfect &&= isFull(best);
    rows.push(`| ${name} | ${scores.join(' | ')} |`);
    console.log(`${name}: ${scores.join(', ')} ${faults.join('; ')}`);
  };
  await measure(signInPage);
  for (const page of await mainPages(context, dev)) await measure(page);
  await context.close();
  writeFileSync(join(ROOT, 'docs/lighthouse.md'), report(rows));
  console.log('written: docs/lighthouse.md');
  process.exit(isPerfect ? 0 : 1);
} catch (err) {
  exitWith(err);
}

function report(rows: readonly string[]): string {
  return `# Lighthouse

Scores of Lighthouse ${lighthouseVersion} on the pages of \`npm start\` with \`npm run demo:history\`: a phone with a slow network (its default), the
best of at most ${runs} runs. Written by \`npm run lighthouse\` ([tools/dev](../tools/dev/README.md)) on ${new Date().toISOString().slice(0, 10)}.

| page | ${names.join(' | ')} |
|---|${names.map(() => '---|').join('')}
${rows.join('\n')}
`;
}
