import Sequencer from '@jest/test-sequencer';

/** Files that take longest, for a machine that has not run them yet; afterwards jest knows their times itself. */
const slow = [
  'services/monitor/test/changes/interleavings.test.ts',
  'services/monitor/test/watching.test.ts',
  'services/monitor/test/sending.test.ts',
  'services/monitor/test/lagging.test.ts',
  'services/cases/test/http/killed-user-ends.test.ts',
  'services/notifier/test/kill.test.ts',
  'services/identity/test/http/session-ends.test.ts',
  'libs/platform/test/event-outcomes.test.ts',
];

/** The longest test begins first, so that no worker is alone with it at the end. */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of a sequencer
export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ path }) {
  const index = slow.findIndex((file) => path.replaceAll('\\', '/').endsWith(file));
  return index === -1 ? slow.length : index;
}
