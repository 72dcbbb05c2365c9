/** Answers identity.session with a refusal that says the time here; clock-offsets.test.ts ends it. */
import { ApiError, connectBus, createLogger } from '@casewatch/platform';

const [url = '', password = ''] = process.argv.slice(2);
const log = createLogger('identity', 'silent');
const bus = await connectBus({ service: 'identity', url, user: 'identity', password, log });
bus.serve('identity.session', async () => {
  throw new ApiError('token_revoked', { message: String(Date.now()) });
});
await bus.connection.flush();
process.send?.('serving');
