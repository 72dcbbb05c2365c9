/** Serves a request until the connection is closed, and then stops: bus.test.ts waits for its end. */
import { connectBus, createLogger } from '@casewatch/platform';

const [url = '', password = ''] = process.argv.slice(2);
const log = createLogger('cases', 'silent');
const bus = await connectBus({ service: 'cases', url, user: 'cases', password, log });
bus.serve('cases.count', () => Promise.reject(new Error('nobody asks')));
await bus.connection.flush();
await bus.connection.close();
await bus.stop();
