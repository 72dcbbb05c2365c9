import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** For each source file, by URL: its text, and 1 for each character that ran in some process. */
export type Coverage = ReadonlyMap<string, { path: string; text: string; ran: Uint8Array }>;

type Range = { startOffset: number; endOffset: number; count: number };
type Report = { result: { url: string; functions: { ranges: Range[] }[] }[] };

export function createCoverage(root: string): Coverage {
  const paths = globSync('{libs,services,tools}/*/src/**/*.{ts,mjs}', { cwd: root });
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const url = pathToFileURL(join(root, path)).href;
      return [url, { path, text, ran: new Uint8Array(text.length) }];
    }),
  );
}

/** Adds the reports that processes have written (NODE_V8_COVERAGE), and deletes them. An incomplete report stays. */
export function takeReports(folder: string, coverage: Coverage): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const report = parse(readFileSync(file, 'utf8'));
    if (report === undefined) continue;
    addReport(report, coverage);
    rmSync(file);
  }
}

export function addReport({ result }: Report, coverage: Coverage): void {
  for (const { url, functions } of result) {
    const source = coverage.get(url);
    if (source === undefined) continue;
    const now = new Uint8Array(source.ran.length);
    // An inner range decides over the range around it.
    const ranges = functions.flatMap((one) => one.ranges).toSorted(outerFirst);
    for (const { startOffset, endOffset, count } of ranges)
      now.fill(Math.min(count, 1), startOffset, endOffset);
    for (const [i, hasRun] of now.entries()) if (hasRun) source.ran[i] = 1;
  }
}

function outerFirst(a: Range, b: Range): number {
  return a.startOffset - b.startOffset || b.endOffset - a.endOffset;
}

function parse(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
