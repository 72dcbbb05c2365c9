import Sequencer from '@jest/test-sequencer';
import { orderOfStart } from './order.ts';

// biome-ignore lint/style/noDefaultExport: jest takes the default export of a sequencer
export default class BusyAndWaiting extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const order = orderOfStart(sorted.map(({ path }) => path.replaceAll('\\', '/')));
    return order.map((index) => sorted[index]);
  }
}
