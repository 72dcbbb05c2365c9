/** npm run last-release: records the contracts that this commit reads and writes, its indexes, and its name, from which `verify:cluster` upgrades. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wireContracts } from '@casewatch/contracts';
import { ROOT } from '../options.ts';

const uncommitted = git('status', '--porcelain', '--', 'libs/contracts/src');
if (uncommitted !== '') {
  console.error(`Commit libs/contracts/src first: the release is a commit.\n${uncommitted}`);
  process.exitCode = 1;
} else {
  const contracts = `{\n"read": ${linesOf('read')},\n"written": ${linesOf('written')}\n}\n`;
  writeFileSync(join(ROOT, 'libs/contracts/test/last-release.json'), contracts);
  const env = { ...process.env, INDEXES: 'write' };
  execFileSync('npm', ['test', '--', 'tests/starts/last-release-indexes'], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  const commit = git('rev-parse', 'HEAD');
  writeFileSync(join(ROOT, 'deploy/last-release'), `${commit}\n`);
  console.log(`The last release is ${commit}.`);
}

/** One line per contract shows in a review which one changed. */
function linesOf(direction: 'read' | 'written'): string {
  const lines = Object.entries(wireContracts(direction)).map(
    ([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
