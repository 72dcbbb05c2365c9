/** npm run admin -- explain case <id or receipt number>: what each service knows about a case, in time order. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { ServiceName } from '@casewatch/contracts';
import { explainedCase, explainedStep, explainReport } from '@casewatch/platform';
import { z } from 'zod';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { type DevEnvFile, readDevEnvFile } from '../dev-files.ts';
import { baseEnv } from '../launch-node.ts';
import { ROOT } from '../options.ts';

const usage =
  'Give a case: npm run admin -- explain case 7 [--json], or its FLOW number or receipt number instead of 7.';
const stepsReply = z.array(explainedStep);
const receiptReply = z.object({ cases: z.array(z.number()), steps: stepsReply });
const caseReply = stepsReply.min(1);

async function main(): Promise<void> {
  const { positionals, values } = readArgs();
  const [subject, reference, ...rest] = positionals;
  if (subject !== 'case' || reference === undefined || rest.length > 0) throw new CliError(usage);
  const settings = readDevEnvFile(dataDirAt(resolve(process.env.CASEWATCH_DATA || `${ROOT}/.data`)));
  if (!settings) throw new CliError('No running system. Start one: npm start');
  const { data: id } = explainedCase.safeParse(reference.toUpperCase());
  const ids = id === undefined ? await casesOf(settings, reference) : [id];
  const report = explainReport((await Promise.all(ids.map((id) => stepsOf(settings, id)))).flat());
  console.log(values.json ? JSON.stringify(report.json) : report.lines.join('\n'));
}

function readArgs() {
  try {
    return parseArgs({
      args: process.argv.slice(2),
      options: { json: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CliError(`${error instanceof Error ? `${error.message}. ` : ''}${usage}`);
  }
}

async function casesOf(settings: DevEnvFile, receipt: string): Promise<number[]> {
  const reply = await ask(settings, 'monitor', ['--receipt', receipt.toUpperCase()]);
  return receiptReply.parse(reply).cases;
}

async function stepsOf(settings: DevEnvFile, id: number) {
  const ofCase = caseReply.parse(await ask(settings, 'cases', ['--case', String(id)]));
  const user = /for user (\d+)/.exec(ofCase.map(({ text }) => text).join('\n'))?.[1] ?? '0';
  const [checks, notifications, deliveries] = await Promise.all([
    ask(settings, 'monitor', ['--case', String(id)]),
    ask(settings, 'notifier', ['--case', String(id), '--user', user]),
    ask(settings, 'webhooks', ['--case', String(id), '--user', user]),
  ]);
  const { steps } = receiptReply.parse(checks);
  return [...ofCase, ...steps, ...stepsReply.parse(notifications), ...stepsReply.parse(deliveries)];
}

/** Each service explains its own part: no program reads the database of two services. */
async function ask(settings: DevEnvFile, service: ServiceName, words: string[]): Promise<unknown> {
  const program = `services/${service}/src/admin/main.ts`;
  const args = ['--disable-warning=ExperimentalWarning', program, 'explain', ...words, '--json'];
  const env = { ...baseEnv(process.env), ...settings[service] };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env }).catch(
    (error: { stderr?: string }) => {
      throw new CliError(`${service}: ${error.stderr?.trim() || 'the command failed'}`);
    },
  );
  return JSON.parse(stdout);
}

await main().catch(exitWith);
