import { run } from '@casewatch/platform';
import { gateway } from './service.ts';

await run(gateway);
