import { run } from '@casewatch/platform';
import { cases } from './service.ts';

await run(cases);
