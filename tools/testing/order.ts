import { availableParallelism } from 'node:os';

type Need = { readonly seconds: number; readonly cores: number };

/** What the slow files and those that work much need while others run beside them, on two cores. */
const needs: Readonly<Record<string, Need>> = {
  '.cache/suites/system-killed.test.ts': { seconds: 129, cores: 0.7 },
  '.cache/suites/system-limited.test.ts': { seconds: 105, cores: 0.6 },
  'tests/e2e/pages.test.ts': { seconds: 50, cores: 1.2 },
  '.cache/suites/system-shared.test.ts': { seconds: 72, cores: 0.6 },
  '.cache/suites/system-pages.test.ts': { seconds: 70, cores: 0.7 },
  'services/monitor/test/changes/interleavings.test.ts': { seconds: 60, cores: 0.4 },
  '.cache/suites/identity-1.test.ts': { seconds: 30, cores: 0.5 },
  '.cache/suites/identity-2.test.ts': { seconds: 36, cores: 0.5 },
  '.cache/suites/identity-3.test.ts': { seconds: 25, cores: 0.6 },
  '.cache/suites/identity-4.test.ts': { seconds: 47, cores: 0.3 },
  'services/monitor/test/sending.test.ts': { seconds: 32, cores: 0.6 },
  'services/cases/test/http/killed-user-ends.test.ts': { seconds: 26, cores: 0.5 },
  'tests/contract/examples.test.ts': { seconds: 23, cores: 0.5 },
  'tools/dev/test/pictures.test.ts': { seconds: 21, cores: 0.8 },
  'services/monitor/test/survival.test.ts': { seconds: 47, cores: 0.1 },
  'services/webhooks/test/loops/disabling.test.ts': { seconds: 33, cores: 0.2 },
  'services/notifier/test/clocks.test.ts': { seconds: 28, cores: 0.2 },
};

/** Every other file. */
const small: Need = { seconds: 5, cores: 0.15 };

/** It drains the HTTP of its process, which is for good. */
const last = 'libs/platform/test/drain.test.ts';

/** Tests wait for half of their time. With more workers, services answer 503 at times. */
const workersPerCore = 2;

export function workersFor(cores: number): number {
  return cores * workersPerCore;
}

type File = { readonly index: number; readonly need: Need };

/**
 * The order in which jest begins the files, as indexes of `paths`: a free worker takes the next one. By what they are expected to
 * need, each worker takes the slowest file that the cores still have room for, so that the busy ones run one after the other
 * and those that wait run beside them. Files without known needs keep their order.
 */
export function orderOfStart(paths: readonly string[], cores = availableParallelism()): number[] {
  const files = paths.map((path, index) => ({ index, need: needOf(path) }));
  const isLast = ({ index }: File) => paths[index]?.endsWith(last) ?? false;
  const waiting = files.filter((file) => !isLast(file)).sort((a, b) => b.need.seconds - a.need.seconds);
  const running: { need: Need; endsAt: number }[] = [];
  const order: number[] = [];
  let now = 0;
  while (waiting.length > 0) {
    if (running.length === workersFor(cores)) {
      running.sort((a, b) => b.endsAt - a.endsAt);
      now = running.pop()?.endsAt ?? now;
    }
    const room = cores - running.reduce((sum, { need }) => sum + need.cores, 0);
    const fitting = waiting.findIndex(({ need }) => need.cores <= room);
    const [file] = waiting.splice(fitting === -1 ? lightest(waiting) : fitting, 1);
    if (!file) break;
    order.push(file.index);
    running.push({ need: file.need, endsAt: now + file.need.seconds });
  }
  return [...order, ...files.filter(isLast).map(({ index }) => index)];
}

function needOf(path: string): Need {
  return Object.entries(needs).find(([name]) => path.endsWith(name))?.[1] ?? small;
}

function lightest(files: readonly File[]): number {
  return files.reduce((best, { need }, i) => (need.cores < (files[best]?.need.cores ?? 0) ? i : best), 0);
}
