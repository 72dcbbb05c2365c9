import { availableParallelism } from 'node:os';

type Need = { readonly seconds: number; readonly cores: number };

/** What the slow files need when they run alone. */
const needs: Readonly<Record<string, Need>> = {
  '.cache/suites/system-killed.test.ts': { seconds: 79, cores: 0.9 },
  '.cache/suites/system-shared.test.ts': { seconds: 65, cores: 0.6 },
  '.cache/suites/system-limited.test.ts': { seconds: 66, cores: 0.8 },
  '.cache/suites/identity-1.test.ts': { seconds: 33, cores: 0.7 },
  '.cache/suites/identity-2.test.ts': { seconds: 31, cores: 0.7 },
  '.cache/suites/identity-3.test.ts': { seconds: 43, cores: 0.6 },
  '.cache/suites/notifier-2.test.ts': { seconds: 33, cores: 0.6 },
  '.cache/suites/gateway-1.test.ts': { seconds: 25, cores: 0.9 },
  '.cache/suites/dev-2.test.ts': { seconds: 20, cores: 0.9 },
  '.cache/suites/platform-1.test.ts': { seconds: 20, cores: 0.4 },
  '.cache/suites/platform-2.test.ts': { seconds: 19, cores: 0.4 },
  '.cache/suites/cases-2.test.ts': { seconds: 19, cores: 0.7 },
  '.cache/suites/webhooks-2.test.ts': { seconds: 19, cores: 0.6 },
  '.cache/suites/dev-1.test.ts': { seconds: 16, cores: 1 },
  '.cache/suites/gateway-2.test.ts': { seconds: 15, cores: 0.9 },
  '.cache/suites/webhooks-1.test.ts': { seconds: 13, cores: 0.6 },
  '.cache/suites/monitor-2.test.ts': { seconds: 11, cores: 0.7 },
  '.cache/suites/monitor-1.test.ts': { seconds: 9, cores: 0.6 },
  '.cache/suites/cases-1.test.ts': { seconds: 9, cores: 0.9 },
  '.cache/suites/sandbox-1.test.ts': { seconds: 9, cores: 0.5 },
  'services/monitor/test/sending.test.ts': { seconds: 30, cores: 0.7 },
  'services/webhooks/test/loops/disabling.test.ts': { seconds: 28, cores: 0.4 },
  'libs/platform/test/event-outcomes.test.ts': { seconds: 27, cores: 0.2 },
  'tests/contract/examples.test.ts': { seconds: 23, cores: 0.5 },
  'services/monitor/test/idle.test.ts': { seconds: 23, cores: 0.1 },
  'services/monitor/test/survival.test.ts': { seconds: 21, cores: 0.3 },
  'libs/platform/test/relay.test.ts': { seconds: 19, cores: 0.2 },
  'services/monitor/test/changes/interleavings.test.ts': { seconds: 14, cores: 1 },
  'services/notifier/test/outage.test.ts': { seconds: 16, cores: 0.5 },
  'services/webhooks/test/http/list-events.test.ts': { seconds: 16, cores: 0.1 },
  'services/webhooks/test/loops/replay-kill.test.ts': { seconds: 16, cores: 0.2 },
  '.cache/suites/three-members.test.ts': { seconds: 17, cores: 0.3 },
  'services/monitor/test/upstream-rules.test.ts': { seconds: 16, cores: 0.3 },
  'services/monitor/test/lagging.test.ts': { seconds: 15, cores: 0.3 },
  'services/notifier/test/order.test.ts': { seconds: 15, cores: 0.1 },
  'services/webhooks/test/loops/kill.test.ts': { seconds: 15, cores: 0.3 },
  'services/cases/test/http/killed-user-ends.test.ts': { seconds: 11, cores: 0.6 },
  'libs/platform/test/build-indexes.test.ts': { seconds: 13, cores: 0.1 },
  'services/notifier/test/kill.test.ts': { seconds: 12, cores: 0.7 },
  'services/notifier/test/smtp-faults.test.ts': { seconds: 12, cores: 0.4 },
  'services/notifier/test/unanswered-mails.test.ts': { seconds: 12, cores: 0.3 },
  'services/gateway/test/unreadable-requests.test.ts': { seconds: 12, cores: 0.1 },
  'services/notifier/test/clocks.test.ts': { seconds: 11, cores: 0.7 },
  'libs/platform/test/migrate.test.ts': { seconds: 11, cores: 0.1 },
  'services/webhooks/test/loops/metrics.test.ts': { seconds: 11, cores: 0.1 },
  'services/webhooks/test/loops/replay.test.ts': { seconds: 11, cores: 0.2 },
  'libs/platform/test/outbox.test.ts': { seconds: 11, cores: 0.1 },
  'services/webhooks/test/loops/random-kill.test.ts': { seconds: 10, cores: 0.5 },
  'services/monitor/test/requests/shares.test.ts': { seconds: 10, cores: 0.6 },
  'services/notifier/test/status-mail.test.ts': { seconds: 10, cores: 0.2 },
  'services/notifier/test/locked-rows.test.ts': { seconds: 10, cores: 0.2 },
  'services/monitor/test/admin/admin.test.ts': { seconds: 10, cores: 0.2 },
  'libs/platform/test/metrics.test.ts': { seconds: 10, cores: 0.1 },
  'services/webhooks/test/loops/clocks.test.ts': { seconds: 10, cores: 0.1 },
  'libs/platform/test/stream-loss.test.ts': { seconds: 9, cores: 0.1 },
  'libs/platform/test/restore-streams.test.ts': { seconds: 9, cores: 0.1 },
  'services/monitor/test/untrue-answers.test.ts': { seconds: 9, cores: 0.3 },
  'services/gateway/test/auth/revocations.test.ts': { seconds: 8, cores: 0.6 },
  'services/notifier/test/metrics.test.ts': { seconds: 8, cores: 0.2 },
  'services/monitor/test/watching.test.ts': { seconds: 8, cores: 0.7 },
};

/** Every other file. */
const small: Need = { seconds: 1, cores: 0.5 };

/** It drains the HTTP of its process, which is for good. */
const last = 'libs/platform/test/drain.test.ts';

/** Tests wait for half of their time (ADR 0069, 0072). */
const workersPerCore = 2;

export function workersFor(cores: number): number {
  return Math.ceil(cores * workersPerCore);
}

type File = { readonly index: number; readonly need: Need };

/**
 * The order in which jest begins the files, as indexes of `paths`: a free worker takes the next one. By what they are expected to
 * need, each worker takes the slowest file that the cores still have room for, so that the busy ones run one after the other
 * and those that wait run beside them. Files without known needs keep their order.
 */
export function orderOfStart(paths: readonly string[], cores = availableParallelism()): number[] {
  const files = paths.map((path, index) => ({ index, need: ownNeedOf(path) ?? small, isLast: isLast(path) }));
  const waiting = files.filter((file) => !file.isLast).sort((a, b) => b.need.seconds - a.need.seconds);
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
  return [...order, ...files.filter((file) => file.isLast).map(({ index }) => index)];
}

const ownNeedOf = (path: string): Need | undefined =>
  Object.entries(needs).find(([name]) => path.endsWith(name))?.[1];

const isLast = (path: string): boolean => path.endsWith(last);

/** Whether the place of a file in the order matters. */
export const hasPlace = (path: string): boolean => ownNeedOf(path) !== undefined || isLast(path);

function lightest(files: readonly File[]): number {
  return files.reduce((best, { need }, i) => (need.cores < (files[best]?.need.cores ?? 0) ? i : best), 0);
}
