import { readFileSync } from 'node:fs';

/** Receipts with one status and form. `perDay`: how often each changes, in the days to judge. */
export type Cell = { title: string; form: string; share: number; perDay: number };

const file = new URL('../../data/status-form-flows.csv', import.meta.url);
// A field is quoted text or has no comma.
const field = /"([^"]*)"|([^,]+)/g;

/** The public flows (tools/bench/data/README.md). */
export function readFlows(): Cell[] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [title = '', form = '', share = '', changes = ''] = [...line.matchAll(field)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    return { title, form, share: Number(share), perDay: Number(changes) / Number(share) };
  });
}
