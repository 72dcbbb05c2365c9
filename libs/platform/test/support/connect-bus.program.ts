/** Connects to the bus at an address, with a password; tls.test.ts ends it. */
import { connectBus, createLogger } from '@casewatch/platform';

const [url = '', password = ''] = process.argv.slice(2);
const log = createLogger('cases', 'silent');
await connectBus({ service: 'cases', url, user: 'cases', password, log });
