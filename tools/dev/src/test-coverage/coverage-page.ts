import { stripTypeScriptTypes } from 'node:module';
import type { Coverage } from './reports.ts';

type Package = { name: string; lines: number; ran: number };

export function packagesOf(coverage: Coverage): Package[] {
  const sources = [...coverage.values()];
  const groups = Map.groupBy(sources, ({ path }) => path.split('/').slice(0, 2).join('/'));
  const packages = [...groups].map(([name, files]) => ({ name, ...sum(files.map(linesOf)) }));
  return packages.toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Lines with code, without types and comments; a line has run if its first character has. */
export function linesOf({ text, ran }: { text: string; ran: Uint8Array }): Omit<Package, 'name'> {
  const counts = { lines: 0, ran: 0 };
  let start = 0;
  // Stripped types become spaces: every place keeps its offset.
  for (const line of stripTypeScriptTypes(text).split('\n')) {
    const code = line.trim();
    // No code: comments, and lines of brackets alone.
    if (code !== '' && !/^(\/[/*]|\*)/.test(code) && /\w/.test(code)) {
      counts.lines += 1;
      counts.ran += ran[start + line.search(/\S/)] ?? 0;
    }
    start += line.length + 1;
  }
  return counts;
}

export function coveragePage(packages: readonly Package[]): string {
  const rows = [...packages, { name: '**all**', ...sum(packages) }].map(
    ({ name, lines, ran }) => `| ${name} | ${lines} | ${percent(ran, lines)} |`,
  );
  return [
    '# Coverage',
    '',
    'The lines of code that `npm test` runs, in jest or in any process that a test starts. `npm run coverage` writes this page.',
    'The figure includes no process that a test kills, because a killed process reports nothing.',
    '',
    '| package | lines of code | run by a test |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function sum(counts: readonly Omit<Package, 'name'>[]): Omit<Package, 'name'> {
  return {
    lines: counts.reduce((total, { lines }) => total + lines, 0),
    ran: counts.reduce((total, { ran }) => total + ran, 0),
  };
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}
