/**
 * npm run alerts. Exit code 0: the rules are valid, each alert does what its row of rules.cases.yml says, and one cause is one
 * message; 3: promtool or Alertmanager is not available; else 1.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CliError, exitWith } from '../cli-error.ts';
import { findPromtool } from './promtool.ts';
import { readCases, readRules, rulesFolder, ruleTests } from './rule-tests.ts';
import { checkStorms, findAlertmanager } from './storms.ts';

const folder = mkdtempSync(join(tmpdir(), 'casewatch-rules-'));

try {
  const promtool = await findPromtool({ env: process.env, say: (line) => console.error(line) });
  const tests = ruleTests(readRules(), readCases(), join(rulesFolder, 'rules.yml'));
  const file = join(folder, 'rules.test.yml');
  writeFileSync(file, stringify(tests, { aliasDuplicateObjects: false }));
  console.log(`${tests.tests.length} tests of ${readRules().length} alerts`);
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', file],
  ])
    if (spawnSync(promtool, args, { cwd: rulesFolder, stdio: 'inherit' }).status !== 0)
      throw new CliError(`promtool ${args.join(' ')} failed; its report stands above.`);
  await checkStorms(findAlertmanager(process.env));
} catch (error) {
  exitWith(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
