import { migrate } from '@casewatch/platform/database';
import { identity } from './service.ts';

await migrate(identity);
