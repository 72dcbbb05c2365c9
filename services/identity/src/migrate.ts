import { migrate } from '@casewatch/platform';
import { identity } from './service.ts';

await migrate(identity);
