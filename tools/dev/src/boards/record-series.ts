import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Board, mayBeEmpty } from './board.ts';
import { queryPanel, type Range, type Series } from './query-panel.ts';
import { scrapeConfig } from './scrape-config.ts';
import { startPrometheus } from './start-prometheus.ts';

const scrapeSeconds = 5;
/** The last effects of the work: retries, and the next scrapes. */
const patienceMs = 60_000;

type Recorded = { readonly board: Board; readonly series: readonly (readonly Series[])[] };
type Options = {
  readonly program: string;
  readonly metricsUrls: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** What the system does while Prometheus records. */
  readonly work: () => Promise<void>;
};

/** The lines of all panels, from before the work until all panels have data, or a minute after the work. @throws CliError */
export async function recordSeries(
  boards: readonly Board[],
  { program, metricsUrls, signal, work }: Options,
): Promise<{ range: Range; recorded: Recorded[] }> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-boards-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const config = scrapeConfig(metricsUrls, `${scrapeSeconds}s`);
  const start = Date.now() / 1000;
  const { url, stop } = await startPrometheus(program, { folder, config, signal });
  stack.defer(stop);
  await work();
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const range = { start, end: Date.now() / 1000, step: scrapeSeconds };
    const recorded: Recorded[] = [];
    for (const board of boards) {
      const series: Series[][] = [];
      for (const panel of board.panels) series.push(await queryPanel(url, { panel, range }));
      recorded.push({ board, series });
    }
    if (recorded.flatMap(panelsWithoutData).length === 0 || Date.now() > deadline) return { range, recorded };
    await delay(scrapeSeconds * 1000, undefined, { signal });
  }
}

/** The panels that should have data and have none. */
export function panelsWithoutData({ board, series }: Recorded): string[] {
  const empty = board.panels.filter((panel, index) => series[index]?.length === 0 && !mayBeEmpty(panel));
  return empty.map(({ title }) => `${board.title}: ${title}`);
}
