import { run } from '@casewatch/platform';
import { webhooks } from './service.ts';

await run(webhooks);
