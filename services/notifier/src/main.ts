import { run } from '@casewatch/platform';
import { notifier } from './service.ts';

await run(notifier);
