/**
 * npm run reach: for each flow of tools/dev/flows.json, the files and lines that its file reaches by imports inside its own
 * package. That is what somebody may have to open who reads the flow.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Flow = { flow: string; file: string };

const importOrExport = /^(?:import|export)\b[^;]*?from '(\.[^']+)';/gm;

function reachedFrom(file: string): Map<string, number> {
  const lines = new Map<string, number>();
  const open = [file];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (lines.has(path)) continue;
    const text = readFileSync(path, 'utf8');
    lines.set(path, text.split('\n').length - 1);
    for (const [, target = ''] of text.matchAll(importOrExport)) open.push(join(dirname(path), target));
  }
  return lines;
}

const flows = JSON.parse(readFileSync('tools/dev/flows.json', 'utf8')) as Flow[];
console.table(
  Object.fromEntries(
    flows.map(({ flow, file }) => {
      const lines = [...reachedFrom(file).values()];
      return [flow, { files: lines.length, lines: lines.reduce((sum, count) => sum + count, 0) }];
    }),
  ),
);
