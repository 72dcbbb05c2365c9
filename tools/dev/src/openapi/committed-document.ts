import { join } from 'node:path';
import { type OpenApiDocument, openApiDocument } from '@casewatch/contracts';
import { ROOT } from '../options.ts';

export const documentFile = 'docs/openapi.json';
export const documentPath = join(ROOT, documentFile);

export function currentDocument(): OpenApiDocument {
  return openApiDocument({ publicUrl: 'https://casewatch.example' });
}

export function documentText(): string {
  return `${JSON.stringify(currentDocument(), null, 2)}\n`;
}
