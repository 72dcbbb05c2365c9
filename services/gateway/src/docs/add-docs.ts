import {
  asyncApiDocument,
  type ErrorCode,
  errorCatalogue,
  type OpenApiDocument,
  openApiDocument,
} from '@casewatch/contracts';
import { ApiError, allowHeader } from '@casewatch/platform';
import type { Express } from 'express';
import { stringify } from 'yaml';
import { type FixedAnswer, fixedAnswer, serve } from './fixed-answer.ts';
import { guidePage, guidePages } from './guide.ts';
import { indexPage } from './index-page.ts';
import { pagePolicy } from './layout.ts';
import { problemPage } from './problem-page.ts';
import { referencePage } from './reference-page.ts';

/** Public documents. They do not change while the process runs: each is made at its first request. */
export function addDocs(app: Express, publicUrl: string): void {
  let made: OpenApiDocument | undefined;
  const document = (): OpenApiDocument => {
    made ??= openApiDocument({ publicUrl });
    return made;
  };
  const files: Record<string, () => FixedAnswer> = {
    '/': () => page(indexPage(document())),
    '/docs': () => page(referencePage(document())),
    '/openapi.json': () => fixedAnswer('application/json', JSON.stringify(document())),
    // RFC 9512. Without aliases: some OpenAPI readers do not support them.
    '/openapi.yaml': () =>
      fixedAnswer('application/yaml', stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 })),
    '/asyncapi.json': () => fixedAnswer('application/json', JSON.stringify(asyncApiDocument())),
  };
  for (const code of Object.keys(errorCatalogue) as ErrorCode[])
    files[`/problems/${code}`] = () => page(problemPage(document(), code));
  for (const each of guidePages()) files[each.path] = () => page(guidePage(each));
  for (const [path, make] of Object.entries(files)) {
    app.get(path, serve(make));
    app.all(path, () => {
      throw new ApiError('method_not_allowed', { headers: { allow: allowHeader(['GET']) } });
    });
  }
}

function page(html: string): FixedAnswer {
  return fixedAnswer('text/html', html, pagePolicy);
}
