import { join } from 'node:path';
import { ROOT } from '../options.ts';

/** Where the recorded examples are kept: the document is made of them. */
export const recordedFile = join(ROOT, 'libs/contracts/src/openapi/recorded-examples.json');
