import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Categories of Lighthouse, and their names in the report. */
export const categories = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
} as const;

const audit = z.object({
  title: z.string(),
  score: z.number().nullable(),
  errorMessage: z.string().optional(),
});
const category = z.object({
  /** Null if an audit could not run. */
  score: z.number().nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const report = z.object({
  categories: z.record(z.string(), category),
  audits: z.record(z.string(), audit),
});

/** `port`: of the browser, whose sessions stay. */
type Options = { readonly program: string; readonly port: number; readonly url: string };

/** Runs Lighthouse on one page. @returns scores up to 100 in the order of the categories, and the audits that cost points */
export async function scoresOf({ program, port, url }: Options) {
  const args = [
    program,
    url,
    `--port=${port}`,
    '--disable-storage-reset',
    '--quiet',
    '--output=json',
    `--only-categories=${Object.keys(categories).join(',')}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_OPTIONS: '' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const { categories: found, audits } = report.parse(JSON.parse(stdout));
  const faults = Object.values(found).flatMap(({ auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const { title = id, score = null, errorMessage } = audits[id] ?? {};
      if (errorMessage !== undefined) return `${title}: ${errorMessage}`;
      return weight > 0 && score !== null && score < 1 ? `${title} (${score})` : [];
    }),
  );
  const scores = Object.keys(categories).map((name) => Math.round((found[name]?.score ?? 0) * 100));
  return { scores, faults };
}
