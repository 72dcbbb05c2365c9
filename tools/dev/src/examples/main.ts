/**
 * npm run examples [-- name …]: records the answers that the reference shows, of all operations or of these (`general`: what
 * all have in common), from a new system, and writes them down. With `--check` it says whether they are still what is
 * written down (exit code 1 where not).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { RecordedExamples } from '@casewatch/contracts';
import { exitWith, Problem } from '../problem.ts';
import { guardEnded } from '../servers/index.ts';
import { untilAskedToStop } from '../until-asked-to-stop.ts';
import { driftOf } from './drift.ts';
import { merged } from './merged.ts';
import { recordOnNewSystem } from './record-on-new-system.ts';
import { recordedFile } from './recorded-file.ts';

const stop = untilAskedToStop();
const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
try {
  const began = performance.now();
  const say = (line: string) =>
    console.error(`${Math.round((performance.now() - began) / 1_000)} s  ${line}`);
  const written = JSON.parse(readFileSync(recordedFile, 'utf8')) as RecordedExamples;
  const isCheck = args.includes('--check');
  let all = written;
  await recordOnNewSystem(
    { say, signal: stop },
    {
      only: names.length > 0 ? names : undefined,
      keep(part) {
        all = merged(all, part);
        if (!isCheck) writeFileSync(recordedFile, `${JSON.stringify(all, null, 2)}\n`);
      },
    },
  );
  if (isCheck) {
    const drift = driftOf(written, all);
    if (drift.length > 0) throw new Problem(`${drift.join('\n')}\nRecord them anew: npm run examples`);
    console.log('The system answers as recorded.');
  } else {
    console.log(`Wrote ${recordedFile}. The document has them after npm run openapi.`);
  }
} catch (err) {
  if (!stop.aborted) exitWith(err);
  process.exitCode = 130;
}
await guardEnded();
process.exit();
