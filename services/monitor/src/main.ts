import { run } from '@casewatch/platform';
import { monitor } from './service.ts';

await run(monitor);
