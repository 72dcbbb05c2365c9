import { parseAllDocuments } from 'yaml';

/** The objects of a YAML text, such as rendered manifests. `T` says what the caller reads of them. */
export function objectsIn<T>(text: string): T[] {
  return parseAllDocuments(text).map((document) => document.toJS() as T);
}
