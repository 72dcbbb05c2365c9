import { join } from 'node:path';
import { asyncApiDocument, type OpenApiDocument, openApiDocument } from '@casewatch/contracts';
import { ROOT } from '../options.ts';

export const documentFile = 'docs/openapi.json';
export const documentPath = join(ROOT, documentFile);

export function currentDocument(): OpenApiDocument {
  return openApiDocument({ publicUrl: 'https://casewatch.example' });
}

/** The documents that are generated from the contracts, by their files. */
export function generatedDocuments(): Record<string, string> {
  return { [documentFile]: textOf(currentDocument()), 'docs/asyncapi.json': textOf(asyncApiDocument()) };
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
