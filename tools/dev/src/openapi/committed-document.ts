import { join } from 'node:path';
import { type OpenApiDocument, openApiDocument } from '@casewatch/contracts';
import { ROOT } from '../options.ts';

/** Where the document is kept, from the root of the repository. */
export const documentFile = 'docs/openapi.json';
export const documentPath = join(ROOT, documentFile);

/** The document as the operation table says it now; its address is a placeholder (RFC 2606). */
export function currentDocument(): OpenApiDocument {
  return openApiDocument({ publicUrl: 'https://casewatch.example' });
}

/** What the committed file must hold. */
export function documentText(): string {
  return `${JSON.stringify(currentDocument(), null, 2)}\n`;
}
