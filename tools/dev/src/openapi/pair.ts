import type { OpenApiDocument } from '@casewatch/contracts';

/** A document before and after a change. */
export type Pair = { readonly before: OpenApiDocument; readonly after: OpenApiDocument };
