import type { ChangedPart, SpanishSource, StatusFacts, UpdateKind } from '@casewatch/contracts';

export type Observed = Omit<StatusFacts, 'submitted_date' | 'modified_date'> & {
  kind: UpdateKind;
  observation: number;
  timestamp: Date;
  submitted_date: Date | null;
  modified_date: Date | null;
  title_modified_date: Date | null;
  /** Missing: unknown. */
  spanish_source?: SpanishSource;
  changes: ChangedPart[];
  touched_at: Date | null;
};

type Observation = {
  kind: UpdateKind;
  observation: number;
  timestamp: string;
  title_modified_date: string | null;
  spanish_source?: SpanishSource | undefined;
  changes: ChangedPart[];
  touched_at: string | null;
};

export function toObserved(facts: StatusFacts, observed: Observation): Observed {
  const { kind, observation, timestamp, title_modified_date, spanish_source, changes, touched_at } = observed;
  return {
    kind,
    observation,
    timestamp: new Date(timestamp),
    status_code: facts.status_code,
    status_description: facts.status_description,
    form_type: facts.form_type,
    status_code_es: facts.status_code_es,
    status_description_es: facts.status_description_es,
    status_code_pt: facts.status_code_pt,
    status_description_pt: facts.status_description_pt,
    status_slug: facts.status_slug,
    category: facts.category,
    submitted_date: toDate(facts.submitted_date),
    modified_date: toDate(facts.modified_date),
    title_modified_date: toDate(title_modified_date),
    history: facts.history,
    ...(spanish_source && { spanish_source }),
    changes,
    touched_at: toDate(touched_at),
  };
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}
