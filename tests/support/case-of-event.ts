import { readEvent } from '@casewatch/testing';

/** The id of the case in the body of an event, which must have the schema of its type. */
export function caseOfEvent(body: string): number {
  return (readEvent(body).data.case as { id: number }).id;
}
