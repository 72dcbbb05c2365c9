import { join } from 'node:path';
import { run } from '../../kit/run.ts';
import type { Check } from '../check.ts';
import { ROOT } from '../settings.ts';

/** The other suites kill and read processes of this machine. */
const suite = 'tests/e2e/main-job.test.ts';
const longestMs = 15 * 60_000;

export const endToEnd: Check = {
  name: 'end-to-end',
  promise: 'the end-to-end suite passes with network policies enforced',
  async run({ reached }) {
    const { dataDir } = await reached();
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const env = { ...process.env, CASEWATCH_DEV_JSON: join(dataDir, 'dev.json') };
    // Our modules are ES modules, which jest loads with an interface of Node.js that is called experimental.
    const args = ['--experimental-vm-modules', jest, '--rootDir', ROOT, '--maxWorkers=1', suite];
    const { code, stderr } = await run(process.execPath, args, { env, timeoutMs: longestMs });
    const summary = /^Tests:\s+(.*)$/m.exec(stderr)?.[1]; // jest's own last lines
    const failed = [...stderr.matchAll(/^\s+● (.+)$/gm)].map(([, title]) => title);
    return {
      ok: code === 0,
      measured: `${summary ?? stderr.slice(-300)}${failed.length > 0 ? `; ${[...new Set(failed)].join('; ')}` : ''}`,
    };
  },
};
