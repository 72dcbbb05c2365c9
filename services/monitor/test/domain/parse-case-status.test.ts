import { describe, expect, it } from '@jest/globals';
import { hashesOf } from '../../src/domain/case-content.ts';
import { parseCaseStatus, spanishSourceOf } from '../../src/domain/parse-case-status.ts';

const body = {
  formType: 'i765v',
  submittedDate: '02-29-2024 23:59:59',
  modifiedDate: '02-30-2024 00:00:00',
  current_case_status_text_en: ' Case  Was Approved ',
  current_case_status_text_es: null,
  current_case_status_desc_en:
    '<p>On 5 < 6 days,</p><p>go to <a href="https://x">www.x</a>. A&nbsp;&amp;&#39;B</p>',
  hist_case_status: [
    { date: '2024-03-01', completed_text_en: 'Something New', completed_text_es: 'Algo' },
    { date: '2023-03-01', completed_text_en: 'Case Was Received' },
    { date: null, completed_text_en: 'No date' },
  ],
};

function parse(changes = {}) {
  const seen = parseCaseStatus({ ...body, ...changes });
  if (!seen) throw new Error('no title');
  return seen;
}

describe('parseCaseStatus', () => {
  it('reads texts, dates, form and history', () => {
    expect(parse().facts).toMatchObject({
      status_code: 'Case Was Approved',
      status_description: "On 5 < 6 days, go to www.x. A &'B",
      form_type: 'I-765V',
      status_code_es: 'Caso Fue Aprobado',
      submitted_date: '2024-02-29T23:59:59.000Z',
      modified_date: null,
      history: [
        { date: '2023-03-01', status_code: 'Case Was Received', status_code_pt: 'Caso recebido' },
        { date: '2024-03-01', status_code: 'Something New', status_code_es: 'Algo', status_code_pt: null },
      ],
    });
  });

  it('keeps a title that the table does not know word for word', () => {
    const { facts } = parse({ current_case_status_text_en: 'Case Went For A Walk' });
    expect(facts).toMatchObject({
      status_code: 'Case Went For A Walk',
      status_slug: 'unknown',
      status_code_pt: null,
    });
  });

  it.each([
    { current_case_status_text_en: '<b></b>' },
    { current_case_status_text_en: 'CASE STATUS' },
    { current_case_status_desc_en: '<p> </p>' },
    { current_case_status_desc_en: null },
  ])('finds no state in %j', (changes) => {
    expect(parseCaseStatus({ ...body, ...changes })).toBeNull();
  });

  it.each([
    [{ current_case_status_text_es: 'Aprobado', current_case_status_desc_es: 'Lo aprobamos.' }, 'uscis'],
    [{ current_case_status_text_es: 'Aprobado', current_case_status_desc_es: '<p></p>' }, 'casewatch'],
    [{ current_case_status_desc_es: 'Lo aprobamos.' }, 'casewatch'],
    [{}, 'casewatch'],
  ])('knows who wrote the Spanish of %j: %s', (served, source) => {
    expect(spanishSourceOf(parse(served).spanish)).toBe(source);
  });
});

describe('hashesOf', () => {
  const before = hashesOf(parse());

  it('does not see markup, spaces or the order of history', () => {
    const changes = {
      current_case_status_desc_en: "On 5 < 6 days, go to www.x. A  &'B",
      hist_case_status: body.hist_case_status.toReversed(),
    };
    expect(hashesOf(parse(changes))).toEqual(before);
  });

  it('sees Spanish apart from the facts', () => {
    const after = hashesOf(parse({ current_case_status_text_es: 'Aprobado' }));
    expect(after.facts_hash).toBe(before.facts_hash);
    expect(after.spanish_hash).not.toBe(before.spanish_hash);
  });

  it.each([
    { formType: 'I-130' },
    { submittedDate: null },
    { current_case_status_desc_en: 'Other' },
    { hist_case_status: null },
  ])('sees a change of %j', (changes) => {
    expect(hashesOf(parse(changes)).facts_hash).not.toBe(before.facts_hash);
  });
});
