import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../options.ts';

export const prometheusFolder = join(ROOT, 'deploy/observability/prometheus');

const config = z.looseObject({
  global: z.looseObject({}),
  rule_files: z.array(z.string()),
  scrape_configs: z.array(
    z.looseObject({
      static_configs: z.array(
        z.object({ targets: z.array(z.string()), labels: z.object({ service: z.string() }) }),
      ),
    }),
  ),
});

/**
 * The committed settings of Prometheus for a system on this machine: the same jobs, labels and rules, other addresses, and a
 * short interval, so that a run of minutes has enough points.
 * @throws Error if the system has no metrics of a service
 */
export function scrapeConfig(metricsUrls: Readonly<Record<string, string>>, interval: string): string {
  const { global, rule_files, scrape_configs, ...rest } = config.parse(
    parse(readFileSync(join(prometheusFolder, 'prometheus.yml'), 'utf8')),
  );
  const jobs = scrape_configs.map((job) => ({
    ...job,
    static_configs: job.static_configs.map(({ labels }) => ({
      targets: [hostOf(labels.service, metricsUrls)],
      labels,
    })),
  }));
  return stringify({
    ...rest,
    global: { ...global, scrape_interval: interval, evaluation_interval: interval },
    rule_files: rule_files.map((file) => join(prometheusFolder, file)),
    scrape_configs: jobs,
  });
}

function hostOf(service: string, metricsUrls: Readonly<Record<string, string>>): string {
  const url = metricsUrls[service];
  if (url === undefined) throw new Error(`The system has no metrics of ${service}.`);
  return new URL(url).host;
}
