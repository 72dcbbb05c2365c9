/** npm run alerts. Exit code 0: the rules are valid and each alert fires in its test; 3: promtool is not available; else 1. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CliError, exitWith } from '../cli-error.ts';
import { ROOT } from '../options.ts';
import { findPromtool } from './promtool.ts';

const cwd = join(ROOT, 'deploy/observability/prometheus');

try {
  const promtool = await findPromtool({ env: process.env, say: (line) => console.error(line) });
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ])
    if (spawnSync(promtool, args, { cwd, stdio: 'inherit' }).status !== 0)
      throw new CliError(`promtool ${args.join(' ')} failed; its report stands above.`);
} catch (error) {
  exitWith(error);
}
