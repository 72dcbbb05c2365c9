/** Answers `cases.active` and `cases.count` on the bus at an address, with a password; refused-subscription.test.ts ends it. */
import { connectBus, createLogger } from '@casewatch/platform';

const [url = '', password = ''] = process.argv.slice(2);
const log = createLogger('cases', 'silent');
const bus = await connectBus({ service: 'cases', url, user: 'cases', password, log });
bus.serve('cases.count', async () => ({ cases: 0, active_cases: 0 }));
bus.serve('cases.active', async ({ case_ids }) => ({ case_ids }));
process.send?.('serving');
