import { detailMessage, knownStatuses, matchStatus, normaliseTitle } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

describe('the table of known statuses', () => {
  it('has 110 rows with unique slugs, each of which its own title and aliases lead to', () => {
    const rows = knownStatuses();
    expect(rows).toHaveLength(110);
    expect(new Set(rows.map((row) => row.code)).size).toBe(110);
    for (const row of rows) {
      for (const title of [row.en, ...(row.aliases ?? [])]) expect(matchStatus(title).slug).toBe(row.code);
    }
  });

  it('matches whatever the case, punctuation and spaces', () => {
    expect(matchStatus('  case WAS   received. ').slug).toBe('case_was_received');
    expect(normaliseTitle("Applicant's Card")).toBe('applicants card');
  });

  it('guesses a category from keywords, and says unknown where there is nothing to go by', () => {
    expect(matchStatus('Your Interview Somewhere Else')).toEqual({
      known: null,
      slug: 'unknown',
      category: 'interview',
    });
    expect(matchStatus('Zzz').category).toBe('unknown');
  });

  it('explains in the reader’s language, and says what to do where something is to be done', () => {
    const { known } = matchStatus('Fingerprint and Biometrics Appointment Was Scheduled');
    expect(known?.action).toBeDefined();
    expect(detailMessage('Fingerprint and Biometrics Appointment Was Scheduled', 'es')).toBe(
      `${known?.meaning.es} ${known?.action?.es}`,
    );
    expect(detailMessage('Zzz', 'pt')).toContain('texto oficial');
  });
});
