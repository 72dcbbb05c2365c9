import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  answerBy,
  detailMessage,
  explainStatus,
  knownStatuses,
  language,
  matchStatus,
  normaliseTitle,
  readServedDate,
  statusWords,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

describe('the table of known statuses', () => {
  it('has 149 rows with unique slugs, each of which its own title and aliases lead to', () => {
    const rows = knownStatuses();
    expect(rows).toHaveLength(149);
    expect(new Set(rows.map((row) => row.code)).size).toBe(149);
    for (const row of rows) {
      for (const title of [row.en, ...(row.aliases ?? [])]) expect(matchStatus(title).slug).toBe(row.code);
    }
  });

  it('knows the titles that USCIS came to show after 2021', () => {
    for (const title of [
      'Case Was Received and A Receipt Notice Was Sent',
      'USCIS Is Currently Processing the Case',
      'Request Was Processed',
      'Request Was Rejected',
      'Document Is Being Held For 180 Days',
      'Document Was Returned As Undeliverable',
      'Case Is On Hold',
      'Document Was Returned To USCIS And Is Being Held',
      'Sent to CDC for Opinion',
      'Prequalified Decision Notice Was Mailed',
      'CNMI Semiannual Report Received',
      'Case Was Not Revoked or Cancelled By USCIS',
      'Document and Letter Was Received',
      'Document and Letter Was Received and Under Review',
      'Notice Explaining Actions Mailed',
      'Case Was Approved And USCIS Notified The U.S. Consulate or Port of Entry',
    ])
      expect([title, matchStatus(title).slug]).not.toEqual([title, 'unknown']);
    expect(matchStatus('Case Was Not Revoked or Cancelled By USCIS').category).toBe('approved');
    // Eligible is not approved; it is urgent as a decision is.
    expect(matchStatus('Eligibility Notice Was Mailed').category).toBe('decision');
  });

  it.each([
    ['Case Approval Was Revoked', 'denied', true],
    ['Certified Denial Of My Case Was Affirmed By Appellate Authority', 'denied', true],
    ['Certified Approval Of My Case Was Reversed by The Appellate Authority', 'denied', true],
    ['Denial Was Upheld by Court', 'denied', true],
    ['Student Employment Authorization Document Automatically Terminated', 'denied', true],
    ['Special Immigrant Juvenile Deferred Action Terminated', 'denied', true],
    ['Special Immigrant Juvenile Deferred Action Not Granted', 'decision', true],
    ['Special Immigrant Juvenile Deferred Action Granted', 'approved', false],
    ['Special Immigrant Juvenile Form I-360 Approved With Deferred Action', 'approved', false],
    ['Case Was Returned To USCIS By The Executive Office of Immigration Review', 'transfer', true],
    ['Petition Withdrawn/Over 180 Days/Not Automatically Revoked', 'closed', true],
    ['Petition Business Terminated/Over 180 Days/Not Automatically Revoked', 'closed', true],
    ['Termination Of Litigation Notice Was Mailed', 'administrative', true],
    ['Case Is No Longer On Hold Because Of Pending Litigation', 'review', false],
    ['CNMI Semiannual Report Rejected', 'administrative', true],
    ['Document Was Personally Delivered To Me', 'document', false],
  ])('explains a title that public lists of USCIS titles have: %s', (title, category, isAction) => {
    const { knownStatus } = matchStatus(title);
    expect([knownStatus?.en, knownStatus?.category]).toEqual([title, category]);
    expect(knownStatus?.action !== undefined).toBe(isAction);
    for (const name of language.options) expect(statusWords(title, name).isKnown).toBe(true);
  });

  it('has one word for one thing, and says what USCIS has not done yet in the future', () => {
    const misread = {
      en: /Watch the mail|from which day|how long to wait|\b(?:it|USCIS|office) (?:sends|mails) a\b/,
      es: /[«»]|a partir de qué día|\benvía un aviso|Trámite Acelerado|[Rr]eenvío|antes de cierta fecha/,
      pt: /[Nn]otificaç|[Nn]egativa\b|a partir de que dia|\benvia um aviso|[Ss]ituação|[Rr]ejeitad[oa](?! chegou)/,
    };
    for (const row of knownStatuses())
      for (const name of language.options) {
        const text = [row[name], row.meaning[name], row.action?.[name]].join(' ');
        expect([row.code, text]).toEqual([row.code, expect.not.stringMatching(misread[name])]);
      }
  });

  it.each([
    ['notice_of_intent_to_deny_was_sent', /immigration lawyer or accredited representative/],
    ['case_was_denied', /immigration lawyer or accredited representative/],
    ['case_was_sent_to_the_executive_office_of_immigration_review', /uscis\.gov\/avoid-scams/],
  ])('sends people to a lawyer where a right can be lost: %s', (slug, advice) => {
    const row = knownStatuses().find(({ code }) => code === slug);
    expect(row?.action?.en).toMatch(advice);
    for (const language of ['es', 'pt'] as const)
      expect(row?.action?.[language]).toContain('uscis.gov/avoid-scams');
  });

  it('names a lawyer in three languages for each notice, refusal and end by which a right can be lost', () => {
    const named = /intent|revo|rescind|terminat|dismissed|executive_office|no_one_appeared/;
    const concerned = knownStatuses().filter(
      ({ code, category }) =>
        ['denied', 'rejected'].includes(category) || (named.test(code) && !code.includes('_not_')),
    );
    expect(concerned.length).toBeGreaterThanOrEqual(22);
    for (const { code, action } of concerned) {
      expect([code, action?.en]).toEqual([code, expect.stringContaining('accredited representative')]);
      expect([code, action?.es]).toEqual([code, expect.stringContaining('representante acreditado')]);
      expect([code, action?.pt]).toEqual([code, expect.stringContaining('representante credenciado')]);
    }
  });

  /** Each alias, the words that its row's title does not have, and where the meaning of the row speaks of them. */
  const aliases: Record<string, [slug: string, own: string, said: RegExp | null]> = {
    'Fingerprint Appointment Was Scheduled': [
      'fingerprint_and_biometrics_appointment_was_scheduled',
      '',
      null,
    ],
    'Case Is Being Actively Reviewed': ['case_is_being_actively_reviewed_by_uscis', '', null],
    'Request for Evidence Was Sent': ['request_for_additional_evidence_was_sent', '', null],
    'Request for Initial and Additional Evidence Was Mailed': [
      'request_for_additional_evidence_was_sent',
      'initial and mailed',
      /asks for more documents or information/,
    ],
    'Response To USCIS Request For Evidence Was Received': [
      'response_to_uscis_request_for_evidence_was_received',
      '',
      null,
    ],
    'CWR Notice of Intent to Revoke Sent': [
      'intent_to_revoke_notice_was_sent',
      'cwr of',
      /plans to take back an approval/,
    ],
    'Interview Cancelled And Notice Ordered': [
      'interview_cancelled',
      'and notice ordered',
      /will send a notice/,
    ],
    'Case Transferred And New Office Has Jurisdiction': [
      'case_was_transferred_and_a_new_office_has_jurisdiction',
      '',
      null,
    ],
    'Permanent Resident Card Is Being Produced': [
      'new_card_is_being_produced',
      'permanent resident',
      /card is being made/,
    ],
    'Card Was Determined As Undeliverable By The Post Office': [
      'card_is_being_returned_to_uscis_by_post_office',
      'was determined as undeliverable the',
      /post office cannot deliver the card/,
    ],
    'Card Destroyed': ['card_was_destroyed', '', null],
    'Document Was Mailed': ['document_was_mailed_to_me', '', null],
    'Document Was Destroyed After USCIS Held It For 180 Days': [
      'document_destroyed',
      'was after uscis held it for 180 days',
      /post office returns it and no one asks for it/,
    ],
    'Travel Document Was Destroyed': ['document_destroyed', 'travel was', /The document no longer exists/],
    'Case Was Denied And My Decision Was Mailed': ['case_was_denied_and_my_decision_notice_mailed', '', null],
    'Case Was Rejected Because I Sent An Incorrect Fee': [
      'case_rejected_because_i_sent_an_incorrect_fee',
      'was',
      /did not accept the package because the fee/,
    ],
    'Case Rejected For Incorrect Fee': [
      'case_rejected_because_i_sent_an_incorrect_fee',
      'for',
      /did not accept the package because the fee/,
    ],
    'Notice Explaining USCIS Actions Was Mailed': ['notice_explaining_uscis_actions_was_mailed', '', null],
    'Notice Explaining Actions Mailed': ['notice_explaining_uscis_actions_was_mailed', '', null],
    'Document and Letter Was Received And Under Review': [
      'document_and_letter_was_received',
      'under review',
      /is reviewing both/,
    ],
    'Document and Letter Was Received And Is Under Review': [
      'document_and_letter_was_received',
      'is under review',
      /is reviewing both/,
    ],
    'USCIS Is Processing the Case': ['uscis_is_currently_processing_the_case', '', null],
    'USCIS Is Currently Processing Your Case': [
      'uscis_is_currently_processing_the_case',
      'your',
      /The case is open/,
    ],
  };

  it('explains under an alias all that the alias says', () => {
    const rows = knownStatuses().flatMap((row) => (row.aliases ?? []).map((alias) => [alias, row] as const));
    const found = rows.map(([alias, { code, en, meaning }]) => {
      const title = new Set(normaliseTitle(en).split(' '));
      const own = normaliseTitle(alias)
        .split(' ')
        .filter((word) => !title.has(word));
      const said = aliases[alias]?.[2] ?? null;
      if (own.length > 0)
        expect([alias, meaning.en]).toEqual([alias, expect.stringMatching(said ?? /never/)]);
      return [alias, [code, own.join(' '), said]];
    });
    expect(Object.fromEntries(found)).toEqual(aliases);
  });

  it.each([
    [
      'Case Rejected For Incorrect Fee, Payment Not Signed And Incorrect Form Version',
      'rejected',
      ['fee was wrong', 'payment was not signed', 'old version'],
      ['taxa', 'pagamento', 'versão antiga'],
      ['tarifa', 'pago', 'versión anterior'],
    ],
    [
      'Status Termination Notice Was Mailed',
      'denied',
      ['ends an immigration status'],
      ['encerra um status imigratório'],
      ['pone fin a un estatus migratorio'],
    ],
    [
      'Fee Refund Was Mailed',
      'fee',
      ['refunded the fee and mailed'],
      ['reembolsou a taxa'],
      ['reembolsó la tarifa'],
    ],
    [
      'Document Was Destroyed And Letter Was Received',
      'document',
      ['reviewing the letter'],
      ['analisando a carta'],
      ['revisando la carta'],
    ],
  ])('has a row of its own for %s, which says more than its nearest row', (title, category, en, pt, es) => {
    const { knownStatus } = matchStatus(title);
    expect([knownStatus?.en, knownStatus?.category]).toEqual([title, category]);
    for (const words of en) expect(knownStatus?.meaning.en).toContain(words);
    for (const words of pt) expect(knownStatus?.meaning.pt).toContain(words);
    for (const words of es) expect(knownStatus?.meaning.es).toContain(words);
  });

  const noticeTo = 'uscis.gov/e-request';
  it.each([
    ...['fingerprint_and_biometrics_appointment_was_scheduled', 'biometrics_appointment_was_scheduled'],
    ...['interview_was_scheduled', 'interview_was_rescheduled', 'oath_ceremony_notice_was_mailed'],
    ...['request_for_initial_evidence_was_sent', 'request_for_additional_evidence_was_sent'],
    ...['notice_of_intent_to_deny_was_sent', 'intent_to_revoke_notice_was_sent'],
    ...['intent_to_rescind_notice_was_mailed', 'case_was_denied', 'decision_notice_mailed'],
    ...['case_was_denied_and_my_decision_notice_mailed', 'case_was_automatically_revoked'],
    ...['revocation_notice_was_sent', 'termination_notice_sent', 'status_termination_notice_was_mailed'],
    ...['withdrawal_acknowledgement_notice_was_sent', 'withdrawal_of_my_appeal_was_acknowledged'],
    ...['appeal_was_terminated_and_a_notice_was_mailed_to_me', 'amended_notice_was_mailed'],
    ...['duplicate_notice_was_mailed', 'continuation_notice_was_mailed', 'litigation_notice_was_mailed'],
    ...['notice_explaining_uscis_actions_was_mailed', 'prequalified_decision_notice_was_mailed'],
    ...['notice_was_returned_to_uscis_because_the_post_office_could_not_deliver_it'],
    ...['case_was_approved', 'case_was_approved_and_a_decision_notice_was_sent'],
    ...['eligibility_notice_was_mailed', 'case_was_reopened_for_reconsideration'],
    ...['case_transferred_to_another_office', 'case_was_transferred_and_a_new_office_has_jurisdiction'],
    ...['resubmitted_fee_was_not_accepted', 'petition_application_was_rejected_for_insufficient_funds'],
  ])('says in three languages where to ask for a copy of the notice: %s', (slug) => {
    const row = knownStatuses().find(({ code }) => code === slug);
    for (const name of language.options) {
      expect(`${row?.meaning[name]} ${row?.action?.[name]}`).toContain(noticeTo);
    }
  });

  it('says in three languages whom to ask for a receipt notice or a returned package that does not come', () => {
    const receipts = new Set([
      'case_was_received',
      'case_was_received_and_a_receipt_notice_was_sent',
      'case_accepted_by_the_uscis_lockbox',
      'fees_were_waived',
    ]);
    // Where the bank returned the payment, no package comes back.
    const packages = knownStatuses().filter(
      ({ category, code }) => category === 'rejected' && !code.includes('insufficient_funds'),
    );
    for (const { meaning, action } of [
      ...knownStatuses().filter(({ code }) => receipts.has(code)),
      ...packages,
    ]) {
      for (const name of language.options)
        expect(`${meaning[name]} ${action?.[name]}`).toContain('uscis.gov/contactcenter');
    }
    expect(packages.length).toBeGreaterThan(9);
  });

  it('says where to change an address and where to ask for a card, wherever it says to do so', () => {
    const address = {
      en: /correct address(?! \(uscis\.gov\/addresschange\))/,
      es: /dirección postal correcta(?! \(uscis\.gov\/addresschange\))/,
      pt: /endereço correto(?! \(uscis\.gov\/addresschange\))/,
    };
    const nowhere = { en: /on its website/, es: /en el sitio web/, pt: /no site/ };
    for (const { code, meaning, action } of knownStatuses()) {
      for (const name of language.options) {
        const text = `${meaning[name]} ${action?.[name] ?? ''}`;
        expect([code, text]).toEqual([code, expect.not.stringMatching(nowhere[name])]);
        // The court has an address of its own, and the sentence names the page beside USCIS.
        const isCourt = code === 'case_was_sent_to_the_executive_office_of_immigration_review';
        if (isCourt) expect(text).toContain('USCIS (uscis.gov/addresschange)');
        else expect([code, text]).toEqual([code, expect.not.stringMatching(address[name])]);
      }
    }
  });

  it('says that a returned card is destroyed, that lost funds need a new form, and that evidence goes together', () => {
    const facts: [string, 'meaning' | 'action', Record<'en' | 'es' | 'pt', RegExp>][] = [
      [
        'card_was_returned_to_uscis',
        'meaning',
        { en: /USCIS destroys the card/, es: /USCIS destruye la tarjeta/, pt: /o USCIS destrói o cartão/ },
      ],
      [
        'petition_application_was_rejected_for_insufficient_funds',
        'meaning',
        {
          en: /priority date no longer counts\. To go on, a new form and a new fee/,
          es: /fecha de prioridad ya no cuentan\. .*formulario nuevo y pagar la tarifa de nuevo/,
          pt: /data de prioridade anteriores não valem mais\. .*novo formulário e pagar a taxa de novo/,
        },
      ],
      ...['request_for_initial_evidence_was_sent', 'request_for_additional_evidence_was_sent'].map(
        (slug): [string, 'action', Record<'en' | 'es' | 'pt', RegExp>] => [
          slug,
          'action',
          {
            en: /in one answer.* can deny the case/,
            es: /en una sola respuesta.* puede denegar el caso/,
            pt: /em uma única resposta.* pode negar o caso/,
          },
        ],
      ),
    ];
    for (const [slug, part, words] of facts) {
      const row = knownStatuses().find(({ code }) => code === slug);
      for (const name of language.options) expect(row?.[part]?.[name]).toMatch(words[name]);
    }
  });

  it('calls no rejection a decision, and no petition an application of another case', () => {
    for (const { code, category, meaning } of knownStatuses()) {
      if (category === 'rejected') {
        expect([code, meaning.en]).toEqual([code, expect.stringContaining('not a decision on the case')]);
        expect([code, meaning.es]).toEqual([
          code,
          expect.stringContaining('No es una decisión sobre el caso'),
        ]);
        expect([code, meaning.pt]).toEqual([code, expect.stringContaining('Não é uma decisão sobre o caso')]);
      }
      if (['approved', 'denied'].includes(category))
        expect([code, meaning.es]).toEqual([code, expect.not.stringMatching(/esta solicitud/)]);
    }
  });

  it('shows something to do for each row that has an action, and for no other', () => {
    for (const { code, action, action_required } of knownStatuses())
      expect([code, action_required]).toEqual([code, action !== undefined]);
  });

  it('gives a reason for each row that a lawyer has to read, and refuses a mark without one', () => {
    const marked = knownStatuses().filter(({ needs_legal_review: reason }) => reason !== undefined);
    expect(marked.length).toBeGreaterThan(0);
    for (const { code, needs_legal_review: reason } of marked)
      expect([code, reason]).toEqual([code, expect.stringMatching(/^\p{Lu}.{20,}\.$/u)]);
    // Sentences that name a consequence in law are marked.
    const consequence =
      /can deny the case|cost you the case|judge can decide|priority date|can come back|filing date|old date still counts|removal|stays denied|so the case is not approved|180 days or more/;
    for (const { code, meaning, action, needs_legal_review: reason } of knownStatuses())
      if (consequence.test(`${meaning.en} ${action?.en}`))
        expect([code, reason]).toEqual([code, expect.any(String)]);
  });

  it('is the reviewed table, word for word: a changed sentence needs a review', () => {
    const file = readFileSync(new URL('../src/statuses/statuses.json', import.meta.url));
    const digest = createHash('sha256').update(file).digest('hex');
    expect(digest).toBe('fc5910a46d54b51320f8fb4320421b058122c66deedd9c1dbc59f183a85a2121');
  });

  it('says its own sentences of each title in each language, and nothing else where no day is known', () => {
    for (const { en, meaning, action } of knownStatuses()) {
      for (const language of ['en', 'es', 'pt'] as const) {
        const sentences = [meaning[language], action?.[language]].filter((text) => text !== undefined);
        expect(explainStatus(en, null, language)).toBe(sentences.join(' '));
      }
    }
  });

  it.each(language.options)(
    'explains no title that it does not know, and sends to a lawyer, in %s',
    (name) => {
      const plain = statusWords('Zzz', name);
      expect(plain).toEqual({
        isKnown: false,
        action: null,
        meaning: expect.stringContaining('uscis.gov/avoid-scams'),
      });
      for (const title of [
        'Approval Of Your Petition Was Revoked',
        'Case Rejected For A Missing Page',
        'Evidence Was Requested',
        'Conditional Status Was Terminated',
      ]) {
        const { action, meaning, isKnown } = statusWords(title, name);
        expect([title, isKnown, meaning]).toEqual([title, false, plain.meaning]);
        expect(action).toMatch(/uscis\.gov\/avoid-scams.*uscis\.gov\/e-request/);
        expect(explainStatus(title, null, name)).toBe(`${meaning} ${action}`);
      }
      for (const title of ['Evidence Was Received', 'Petition Was Approved', 'Card Was Printed'])
        expect([title, statusWords(title, name).action]).toEqual([title, null]);
    },
  );

  it('matches whatever the case, punctuation and spaces', () => {
    expect(matchStatus('  case WAS   received. ').slug).toBe('case_was_received');
    expect(normaliseTitle("Applicant's Card")).toBe('applicants card');
  });

  it('guesses a category from keywords, and says unknown where there is nothing to go by', () => {
    expect(matchStatus('Your Interview Somewhere Else')).toEqual({
      knownStatus: null,
      slug: 'unknown',
      category: 'interview',
    });
    expect(matchStatus('Zzz').category).toBe('unknown');
    expect(matchStatus('Your Response And A Fee Were Received').category).toBe('evidence');
    expect(matchStatus('We Received No Response').category).toBe('unknown');
  });

  it('guesses nothing from a title that denies something', () => {
    expect(matchStatus('Petition Was Not Revoked By USCIS').category).toBe('unknown');
    expect(matchStatus('Evidence Was NOT Received').category).toBe('unknown');
    expect(matchStatus('Petition Was Revoked By USCIS').category).toBe('denied');
  });

  it.each([
    ['oath_ceremony_notice_was_mailed', 'Oath Ceremony Notice Was Mailed', 'oath', true, false],
    ['oath_ceremony_will_be_scheduled', 'OATH CEREMONY WILL BE SCHEDULED', 'oath', false, false],
    [
      'certificate_of_naturalization_was_issued',
      'Certificate of Naturalization Was Issued',
      'document',
      false,
      true,
    ],
    ['travel_authorization_decision_posted', 'Travel Authorization Decision Posted', 'decision', true, false],
    [
      'case_was_submitted_for_quality_review_based_on_an_approval_recommendation',
      'Case Was Submitted For Quality Review Based On An Approval Recommendation',
      'review',
      false,
      false,
    ],
    [
      'uscis_is_currently_processing_the_case',
      'USCIS Is Currently Processing Your Case',
      'review',
      false,
      false,
    ],
    ['case_is_being_actively_reviewed_by_uscis', 'Case Is Being Actively Reviewed', 'review', false, false],
    [
      'fingerprint_and_biometrics_appointment_was_scheduled',
      'Fingerprint Appointment Was Scheduled',
      'biometrics',
      true,
      false,
    ],
  ])('knows %s', (slug, title, category, isAction, isTerminal) => {
    const { knownStatus, ...match } = matchStatus(title);
    expect(match).toEqual({ slug, category });
    expect(knownStatus).toMatchObject({ action_required: isAction, terminal: isTerminal });
    expect(knownStatus?.action !== undefined).toBe(isAction);
  });

  const guesses: Record<string, [string[], string[]]> = {
    denied: [
      [
        'Case Was Denied By USCIS',
        'Your Petition Has Been Denied',
        'Application/Petition Was Denied For Abandonment',
        'Application For Employment Authorization Was Denied',
        'Application To Register Permanent Residence Was Denied',
        'Appeal Was Denied',
        'Case Was Reviewed And Denied',
        'Case Was Administratively Denied',
        'We Denied Your Case',
        'Decision Notice Mailed: Case Was Denied',
        'Form I-130 Petition Denied',
        'Petition Was Revoked',
        'Approval Of Your Petition Was Revoked',
        'Case Was Approved And Then Revoked',
        'Application Was Terminated',
        'Conditional Status Was Terminated',
      ],
      [
        'Fee Waiver Request Was Denied',
        'Request For Fee Waiver Was Denied',
        'Request To Expedite My Case Was Denied',
        'Motion To Reopen My Case Was Denied',
        'Application For Fee Waiver Was Denied',
        'Application Fee Waiver Was Denied',
        'Expedite Request For Petition Denied',
        'Premium Processing Was Denied',
        'Case Transfer Was Denied',
        'Case May Be Denied',
        'Case Will Be Denied',
        'If Your Case Was Denied',
        'Case That Was Denied In Error',
        'Denied Case Was Reopened',
        'Case Denied In 2020 Was Reopened',
        'Access Was Denied',
        'A Notice Was Revoked',
        'Power Of Attorney Was Revoked',
        'Interpreter Service Was Terminated',
        'Session Terminated',
      ],
    ],
    rejected: [
      [
        'Case Was Rejected By The Lockbox',
        'Application Was Rejected',
        'Your Package Was Rejected',
        'Petition Rejected For A Missing Page',
      ],
      [
        'Payment Was Rejected',
        'Check Was Rejected',
        'Photo Was Rejected',
        'Fee Waiver Was Rejected',
        'Request To Reschedule Was Rejected',
        'Form G-28 Was Rejected',
        'Fingerprints For My Case Were Rejected',
        'Case Will Be Rejected',
      ],
    ],
    approved: [
      [
        'Petition Was Approved',
        'Application For Naturalization Was Approved',
        'Case Approved',
        'USCIS Approved Your Petition',
        'Petition To Remove Conditions On Residence Has Been Approved',
      ],
      [
        'Fee Waiver Was Approved',
        'Request For Fee Waiver For My Case Was Approved',
        'Expedite Of Case Was Approved',
        'Case Is Expected To Be Approved',
        'Case Will Be Approved',
        'Approved Petition Was Lost',
        'Approval Recommendation Was Made',
        'Extension Request Was Approved',
        'Case Was Never Approved',
        'Case Cannot Be Approved',
        'Case Wasn’t Approved',
        'When Your Case Is Approved',
      ],
    ],
    closed: [
      ['Case Was Withdrawn', 'Petition Was Withdrawn By The Petitioner'],
      [
        'Representative Was Withdrawn',
        'Request To Expedite Was Withdrawn',
        'Notice About Case Was Withdrawn',
        'Offer Was Withdrawn',
      ],
    ],
    evidence: [
      [
        'Request For Missing Evidence Was Mailed',
        'Evidence Was Requested',
        'Additional Evidence Is Required',
        'Evidence Was Received',
        'Notice Of Intent To Deny Was Issued',
        'Intent To Terminate Notice Was Mailed',
        'Your Response And A Fee Were Received',
      ],
      [
        'Evidence Of Status Was Mailed',
        'Original Evidence Was Returned',
        'Request For Return Of Evidence Was Made',
        'Letter Of Intent To Travel Was Filed',
        'Notice Of Intent To Appeal Was Filed',
        'Response To Inquiry Was Received',
        'Response From Consulate Was Received',
      ],
    ],
    card: [
      [
        'Green Card Was Mailed',
        'Cards Are Being Produced',
        'Your New Card Was Delivered',
        'Card Was Automatically Returned',
      ],
      [
        'Credit Card Was Returned',
        'Green Card Renewal Was Explained',
        'Card Replacement Fee Is Due',
        'Business Card Was Mailed',
      ],
    ],
    document: [
      ['Parole Document Was Issued', 'Documents Were Delivered', 'Travel Document Is Being Held'],
      [
        'Supporting Documents Were Returned',
        'Document Fee Is Due',
        'Original Documents Were Mailed',
        'Document Review Has Begun',
      ],
    ],
    oath: [
      ['Oath Ceremony Was Rescheduled', 'Naturalization Ceremony Was Cancelled'],
      ['Oath Ceremony Was Waived', 'No Oath Ceremony Is Held'],
    ],
    interview: [
      ['Your Interview Somewhere Else', 'Green Card Interview Was Scheduled', 'Interview Of The Family'],
      [
        'Interview Was Waived',
        'Interview Waiver Was Granted',
        'No Interview Is Required',
        'Interviewer Was Chosen',
      ],
    ],
    biometrics: [
      ['Fingerprints Were Taken', 'Biometrics Were Reused'],
      ['Biometrics Were Waived', 'No Fingerprints Are Required'],
    ],
    transfer: [
      ['Case Was Transferred To Texas', 'Petition Has Been Transferred', 'File Was Transferred'],
      [
        'Fee Was Transferred',
        'Funds For Case Were Transferred',
        'Call Was Transferred',
        'Case Will Be Transferred',
      ],
    ],
    received: [
      ['Petition Was Received', 'Application For Asylum Was Received', 'We Received Your Application'],
      [
        'Fee Was Received',
        'Letter About Case Was Received',
        'Inquiry Was Received',
        'We Received No Response',
        'Request To Expedite Case Was Received',
        'Case Inquiry Was Received',
      ],
    ],
  };

  describe.each(Object.entries(guesses))('guesses %s', (category, [titles, others]) => {
    it.each(titles)('from “%s”', (title) => {
      expect(matchStatus(title)).toEqual({ knownStatus: null, slug: 'unknown', category });
    });

    it.each(others)('not from “%s”', (title) => {
      expect(matchStatus(title).knownStatus).toBeNull();
      expect(matchStatus(title).category).not.toBe(category);
    });

    it.each(titles)('from no title with “not”: “%s”', (title) => {
      for (const denied of [`Not True: ${title}`, `${title} Was Not Meant`, `${title} And Could NOT Stay`])
        expect(matchStatus(denied).category).toBe('unknown');
    });
  });

  it('reads a title of a megabyte in one pass', () => {
    const before = process.cpuUsage();
    for (const words of ['case ', 'case was ', 'request for a ', 'evidence ', 'card was '])
      expect(matchStatus(words.repeat(100_000)).category).toBe('unknown');
    expect(matchStatus('response '.repeat(110_000)).category).toBe('unknown');
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(5); // seconds of computing, not of waiting: it takes milliseconds
  });

  it('explains in the reader’s language, and says what to do where something is to be done', () => {
    const { knownStatus: known } = matchStatus('Fingerprint and Biometrics Appointment Was Scheduled');
    expect(known?.action).toBeDefined();
    const status_code = 'Fingerprint and Biometrics Appointment Was Scheduled';
    expect(detailMessage({ ...asked, status_code }, 'es', now)).toBe(
      `${known?.meaning.es} ${known?.action?.es}`,
    );
    expect(detailMessage({ ...asked, status_code: 'Zzz' }, 'pt', now)).toContain('texto oficial');
  });
});

const asked = {
  status_code: 'Request for Additional Evidence Was Sent',
  status_description:
    'On January 1, 2026, we sent a request for additional evidence for your Form I-130. Answer by March 2, 2026.',
  form_type: 'I-130',
};
const dateless = {
  ...asked,
  status_description: 'We sent a request for additional evidence. It says what is due.',
};
const now = new Date('2026-01-15T12:00:00.000Z');

describe('the latest day for an answer', () => {
  it('is counted from the date in the first sentence of USCIS', () => {
    expect(answerBy(asked, now)).toBe('2026-03-26');
    expect(answerBy({ ...asked, title_modified_date: '2026-02-20T00:00:00.000Z' }, now)).toBe('2026-03-26');
  });

  it.each(['2026-01-05T23:59:59.000Z', new Date('2026-01-05T23:59:59.000Z')])(
    'is counted from the first modified_date of the title where the first sentence has no date: %s',
    (title_modified_date) => {
      expect(answerBy({ ...dateless, title_modified_date }, now)).toBe('2026-03-30');
    },
  );

  it('reads no impossible date, and no date of a later sentence', () => {
    const impossible = 'On February 31, 2026, we sent a request. On January 1, 2026, we got a form.';
    expect(answerBy({ ...asked, status_description: impossible }, now)).toBeNull();
  });

  it.each([
    ['only', 'Your response is due by January 4, 2027. On November 2, 2026, we sent you a request.'],
    [
      'beside the day of the notice',
      'On November 2, 2026, we sent you a request that ends on January 4, 2027. Wait.',
    ],
    [
      'before the day of the notice',
      'By January 4, 2027, answer the request that we sent on November 2, 2026. Wait.',
    ],
    ['tomorrow', 'On November 16, 2026, we sent you a request. Wait.'],
    ['in numbers', 'Your response is due 01/04/2027. On November 2, 2026, we sent you a request.'],
    [
      'in words of another order',
      'We expect you on 4 January 2027. On November 2, 2026, we sent you a request.',
    ],
  ])('is unknown where the first sentence has a day after today: %s', (_what, status_description) => {
    const november = new Date('2026-11-15T12:00:00.000Z');
    const title_modified_date = '2026-11-02T08:00:00.000Z';
    expect(answerBy({ ...asked, status_description, title_modified_date }, november)).toBeNull();
  });

  it.each([
    'Your response is due by January 4, 2027. On November 2, 2026, we sent you a request.',
    'You must answer no later than January 4, 2027.',
    'Respond by Jan. 4, 2027.',
    'The deadline of January 4, 2027 is near.',
    'Please send all papers before January 4, 2027.',
    'We must receive the papers by January 4, 2027.',
    'The request expires on January 4, 2027.',
    'On 04.01.2027, we sent you a request.',
    'On 01/04/27, we sent you a request.',
    'On 13/01/2027, we sent you a request.',
    'On October 1, 2026, we received your form and on January 4, 2027, we sent a request.',
  ])('is unknown where the day is perhaps not the one of the notice, also once it has passed: %s', (text) => {
    const later = new Date('2027-01-10T12:00:00.000Z');
    const title_modified_date = '2026-11-02T08:00:00.000Z';
    expect(answerBy({ ...asked, status_description: text, title_modified_date }, later)).toBeNull();
  });

  it.each([
    'On November 2, 2026, we sent you a request. Your response is due by January 4, 2027.',
    'On Nov. 2, 2026, we sent you a request.',
    'On Nov 2 2026 we sent you a request.',
    'On NOVEMBER 2ND, 2026, we sent you a request.',
    'On Monday, November 02, 2026, we sent you a request.',
    'On 2 November 2026, we sent you a request.',
    'On the U.S. calendar, on 2nd of November, 2026, we sent you a request.',
    'On 02-NOV-2026, we sent you a request.',
    'On 11/02/2026, we sent you a request.',
    'On 11-02-2026, we sent you a request.',
    'On 2026-11-02, we sent you a request.',
    'On 2026/11/2 we sent you a request.',
    'El 2 de noviembre de 2026, le enviamos una petición.',
    'As of November 2, 2026, we ask for evidence. On May 1, 2026, we got your form.',
    'We e-mailed you a request on November 2, 2026.',
    'A request dated November 2, 2026 was sent.',
    'On November 2, 2026, we sent a request for the form that you filed on May 1, 2026.',
    'On November\u00a02, 2026, we sent you a request.',
  ])('is counted from the day of the notice in each notation: %s', (status_description) => {
    const november = new Date('2026-11-15T12:00:00.000Z');
    // Reading one date leaves nothing behind for the next.
    expect(readServedDate('11-02-2026 10:00:00')).toEqual({
      day: '2026-11-02',
      at: '2026-11-02T10:00:00.000Z',
    });
    expect(answerBy({ ...asked, status_description }, november)).toBe('2027-01-25');
    // The day of the notice counts from its own day on.
    expect(answerBy({ ...asked, status_description }, new Date('2026-11-02T00:00:00.000Z'))).toBe(
      '2027-01-25',
    );
  });

  it('is found in time in a text of any length', () => {
    const before = process.cpuUsage();
    for (const words of ['2026-01-02 ', '1 ', 'on ', 'On January 1, 2026, ', 'x. '])
      answerBy({ ...asked, status_description: words.repeat(250_000 / words.length) }, now);
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(5); // seconds of computing, not of waiting: it takes milliseconds
  });

  it('is unknown where the date of the title is after today', () => {
    const future = { ...dateless, title_modified_date: '2026-01-16T08:00:00.000Z' };
    expect(answerBy(future, now)).toBeNull();
    expect(answerBy(future, new Date('2026-01-16T08:00:00.000Z'))).toBe('2026-04-10');
  });

  it.each([
    'I-539',
    'I539',
    'i-539',
    'Form I-539',
    'FORM I539',
    'I – 539',
    'I-539, Application to Extend',
    'Formulario I-539',
  ])('is sooner for the form however it is written: %s', (form_type) => {
    expect(answerBy({ ...asked, form_type }, now)).toBe('2026-01-31');
  });

  it('is that of the form itself, not of one that begins with the same digits', () => {
    for (const form_type of ['I-5390', 'I-601', 'I-539B', 'AI-539'])
      expect([form_type, answerBy({ ...asked, form_type }, now)]).toEqual([form_type, '2026-03-26']);
    expect(answerBy({ ...asked, form_type: 'I-601A' }, now)).toBe('2026-01-31');
  });

  it('is sooner for some forms', () => {
    expect(answerBy({ ...asked, form_type: 'I-539' }, now)).toBe('2026-01-31');
    expect(answerBy({ ...asked, form_type: null }, now)).toBe('2026-03-26');
  });

  it('is never a past day', () => {
    expect(answerBy(asked, new Date('2026-03-26T23:59:59.000Z'))).toBe('2026-03-26');
    expect(answerBy(asked, new Date('2026-03-27T00:00:00.000Z'))).toBeNull();
  });

  it('is unknown without a source, and where nothing is to be answered', () => {
    expect(answerBy(dateless, now)).toBeNull();
    expect(answerBy({ ...dateless, title_modified_date: null }, now)).toBeNull();
    expect(answerBy({ ...asked, status_code: 'Case Was Approved' }, now)).toBeNull();
    expect(answerBy({ ...asked, status_code: 'Zzz' }, now)).toBeNull();
  });

  it.each([
    [
      'en',
      'Follow the deadline in the notice; it may be earlier than our estimate. By our estimate, USCIS must receive the answer by March 26, 2026 at the latest. Do not wait until that day.',
    ],
    [
      'es',
      'La fecha límite que vale es la del aviso; puede ser anterior a la de nuestro cálculo. Según nuestro cálculo, USCIS debe recibir la respuesta a más tardar el 26 de marzo de 2026. No espere hasta ese día.',
    ],
    [
      'pt',
      'Siga o prazo escrito no aviso; ele pode terminar antes da nossa estimativa. Pela nossa estimativa, o USCIS precisa receber a resposta até 26 de março de 2026, no máximo. Não espere até esse dia.',
    ],
  ] as const)('is one more passage in %s', (language, passage) => {
    const { knownStatus: known } = matchStatus(asked.status_code);
    const before = `${known?.meaning[language]} ${known?.action?.[language]}`;
    expect(detailMessage(asked, language, now)).toBe(`${before} ${passage}`);
    expect(detailMessage(dateless, language, now)).toBe(before);
  });
});
