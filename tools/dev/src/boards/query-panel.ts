import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import type { Panel } from './board.ts';
import { legendOf } from './legend.ts';

/** One line of a panel: its legend, and its values by Unix seconds. */
export type Series = { readonly name: string; readonly points: readonly (readonly [number, number])[] };

/** Unix seconds, and seconds between two points. */
export type Range = { readonly start: number; readonly end: number; readonly step: number };

const reply = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('success'),
    data: z.object({
      resultType: z.literal('matrix'),
      result: z.array(
        z.object({
          metric: z.record(z.string(), z.string()),
          values: z.array(z.tuple([z.number(), z.string()])),
        }),
      ),
    }),
  }),
  z.object({ status: z.literal('error'), error: z.string() }),
]);

/** The lines of a panel. A value that is no number (a quantile of nothing) is no point, as in Grafana. @throws CliError if Prometheus refuses a query */
export async function queryPanel(
  url: string,
  { panel: { title, targets }, range }: { panel: Panel; range: Range },
): Promise<Series[]> {
  const atTimes = { start: String(range.start), end: String(range.end), step: String(range.step) };
  const lines = await Promise.all(
    targets.map(async ({ expr, legendFormat }) => {
      const parameters = new URLSearchParams({ query: expr, ...atTimes });
      const answer = await fetch(`${url}/api/v1/query_range?${parameters}`);
      const body = reply.parse(await answer.json());
      if (body.status === 'error') throw new CliError(`${title}: Prometheus refuses ${expr}: ${body.error}`);
      return body.data.result.map(({ metric, values }) => ({
        name: legendOf(legendFormat, metric),
        points: values
          .map(([at, value]) => [at, Number(value)] as const)
          .filter(([, value]) => Number.isFinite(value)),
      }));
    }),
  );
  return lines.flat().filter(({ points }) => points.length > 0);
}
