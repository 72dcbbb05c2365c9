import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../options.ts';
import { isUnit } from './units.ts';

const panel = z.object({
  type: z.literal('timeseries'),
  title: z.string(),
  description: z.string().optional(),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  fieldConfig: z.object({
    defaults: z.object({
      unit: z.string().refine(isUnit, 'a unit that units.ts does not know'),
      min: z.number().optional(),
      max: z.number().optional(),
    }),
  }),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).min(1),
});

const board = z.object({ title: z.string(), panels: z.array(panel) });

/** The parts of a board of Grafana that the pictures show. */
export type Board = z.infer<typeof board> & { readonly name: string };
export type Panel = z.infer<typeof panel>;

/** @throws ZodError if a board has a kind of panel or a unit that cannot be drawn */
export function readBoards(): Board[] {
  const cwd = join(ROOT, 'deploy/observability/grafana/boards');
  return globSync('*.json', { cwd }).map((file) => ({
    ...board.parse(JSON.parse(readFileSync(join(cwd, file), 'utf8'))),
    name: basename(file, '.json'),
  }));
}

/** A panel about faults rightly has no data in a system without faults; its description begins with these words. */
export function mayBeEmpty({ description }: Panel): boolean {
  return description?.startsWith('No data while') ?? false;
}
