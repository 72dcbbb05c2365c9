/**
 * npm run boards: pictures of the boards of deploy/observability, with the data of Prometheus. Grafana does not draw them: this program does.
 * Exit code 0: Prometheus answers all queries of all panels; 3: Prometheus is not available; else 1.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { type DevFile, devFileOfRunning } from '../dev-files.ts';
import { makeHistory } from '../history/make-history.ts';
import { ROOT } from '../options.ts';
import { withOwnSystem } from '../own-system.ts';
import { launchChromium } from '../pictures/browser.ts';
import { findPrometheusTool } from '../prometheus-tool.ts';
import { endGuard } from '../servers/index.ts';
import { stopSignal } from '../stop-signal.ts';
import { readBoards } from './board.ts';
import { boardWidth, drawBoard } from './draw-board.ts';
import { panelsWithoutData, recordSeries } from './record-series.ts';

const folder = join(ROOT, 'docs/pictures');
const stop = stopSignal();
const say = (line: string): void => console.error(line);

try {
  const program = await findPrometheusTool('prometheus', { env: process.env, say });
  const browser = await launchChromium();
  const boards = readBoards();
  const record = (dev: DevFile) =>
    recordSeries(boards, {
      program,
      metricsUrls: dev.metrics_urls,
      work: () => makeHistory(dev, say),
      signal: stop,
    });
  const { CASEWATCH_DATA: data } = process.env;
  const { range, recorded } = data
    ? await record(devFileOfRunning(dataDirAt(resolve(data))))
    : await withOwnSystem({ env: process.env, say, signal: stop }, record);
  const page = await browser.newPage({ viewport: { width: boardWidth, height: 100 } });
  mkdirSync(folder, { recursive: true });
  for (const { board, series } of recorded) {
    await page.setContent(drawBoard(board, { series, range }));
    writeFileSync(join(folder, `board-${board.name}.png`), await page.screenshot({ fullPage: true }));
  }
  await browser.close();
  say(`written: docs/pictures/board-*.png`);
  const empty = recorded.flatMap(panelsWithoutData);
  if (empty.length > 0) throw new CliError(`Panels without data:\n${empty.join('\n')}`);
} catch (err) {
  if (!stop.aborted) exitWith(err);
  process.exitCode = 130;
}
await endGuard();
process.exit();
