import Sequencer from '@jest/test-sequencer';
import { slowFirst } from './suites.ts';

/** The longest test begins first, so that no worker is alone with it at the end. */
// biome-ignore lint/style/noDefaultExport: jest takes the default export of a sequencer
export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ path }) {
  const index = slowFirst.findIndex((file) => path.replaceAll('\\', '/').endsWith(file));
  return index === -1 ? slowFirst.length : index;
}
