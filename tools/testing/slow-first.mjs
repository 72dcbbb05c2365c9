import Sequencer from '@jest/test-sequencer';
import { last, slowFirst } from './suites.ts';

/** The longest test begins first, so that no worker is alone with it at the end. */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of a sequencer
export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ path }) {
  const file = path.replaceAll('\\', '/');
  if (file.endsWith(last)) return slowFirst.length + 1;
  const index = slowFirst.findIndex((slow) => file.endsWith(slow));
  return index === -1 ? slowFirst.length : index;
}
