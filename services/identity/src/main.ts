import { run } from '@casewatch/platform';
import { identity } from './service.ts';

await run(identity);
