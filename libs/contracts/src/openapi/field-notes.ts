import { accountNotes } from './notes/account-notes.ts';
import { caseNotes } from './notes/case-notes.ts';
import { changeNotes } from './notes/change-notes.ts';
import type { FieldNote, FieldNotes } from './notes/field-note.ts';
import { generalNotes } from './notes/general-notes.ts';
import { serviceNotes } from './notes/service-notes.ts';
import { webhookNotes } from './notes/webhook-notes.ts';

const notes: FieldNotes = {
  ...generalNotes,
  ...accountNotes,
  ...caseNotes,
  ...changeNotes,
  ...serviceNotes,
  ...webhookNotes,
};

/** The note of `Component.field` comes before that of `field`. */
export function noteFor(field: string, component?: string): FieldNote | undefined {
  const own = component === undefined ? undefined : notes[`${component}.${field}`];
  return own ?? (Object.hasOwn(notes, field) ? notes[field] : undefined);
}
