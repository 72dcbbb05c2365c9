import { language, maxDescription, maxName } from '@casewatch/contracts';
import { faultTexts, html } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { caseTexts } from '../../src/pages/people/texts/case-texts.ts';
import { casesTexts } from '../../src/pages/people/texts/cases-texts.ts';
import { dataTexts } from '../../src/pages/people/texts/data-texts.ts';
import { errorTexts } from '../../src/pages/people/texts/error-texts.ts';
import { frameTexts } from '../../src/pages/people/texts/frame-texts.ts';
import { messagesTexts } from '../../src/pages/people/texts/messages-texts.ts';
import { newCaseTexts } from '../../src/pages/people/texts/new-case-texts.ts';
import { settingsTexts } from '../../src/pages/people/texts/settings-texts.ts';
import { signInTexts } from '../../src/pages/people/texts/sign-in-texts.ts';
import { welcomeTexts } from '../../src/pages/people/texts/welcome-texts.ts';

/** Words that a reader took for something else, by language: none of them is said to people. */
const misread = {
  en: /\bSince\b|you paused|Number of this request|does not accept this|\bmay act\b|[Tt]he deadlines of USCIS|at the moment/,
  es: /Desde el|usted lo puso en pausa|Número de esta solicitud|no acepta este|USCIS no publica|puedo actuar|su estado\b|[Pp]reguntamos a USCIS|Eliminar este caso|dígitos|[Pp]oner (?:este|un) caso en pausa|[«»]/,
  pt: /Desde |a seu pedido|Número desta solicitação|não aceita este|não publica|posso agir|[Pp]erguntamos ao USCIS|o seu caso não muda|dígitos|notificaç|novidades/i,
};
const goesOn = { en: /deadlines/, es: /plazos/, pt: /prazos/ };
const permission = { en: /have permission/, es: /tengo permiso/, pt: /tenho autorização/ };
const notary = {
  en: /notary public is not a lawyer/,
  es: /notario no es abogado/,
  pt: /notário .*não é advogado/,
};
const ofJustice = {
  en: /Department of Justice/,
  es: /Departamento de Justicia/,
  pt: /Departamento de Justiça/,
};
/** The page about scams opens in English: a reader of another language is told, and how to change it if that is possible. */
const inEnglish = {
  en: null,
  es: expect.stringMatching(/en inglés.*Español/),
  pt: expect.stringMatching(/em inglês/),
};
const inOwnWords = { en: /^I want /, es: /^Quiero recibir /, pt: /^Quero receber / };

describe.each(language.options)('what pages say to people in %s', (name) => {
  const all = [
    caseTexts,
    casesTexts,
    dataTexts,
    errorTexts,
    faultTexts,
    frameTexts,
    messagesTexts,
    newCaseTexts,
    settingsTexts,
    signInTexts,
    welcomeTexts,
  ];

  it('names the limits that the operations have', () => {
    const { faults } = errorTexts[name];
    expect(faults.name.match(/\d+/g)).toEqual([String(maxName)]);
    expect(faults.description.match(/\d+/g)).toEqual([String(maxDescription)]);
  });

  it('does not use the words that were misread', () => {
    const said = all.map((texts) => JSON.stringify(texts[name])).join('\n');
    expect(said).not.toMatch(misread[name]);
    expect(casesTexts[name].seen(html`today`).html).not.toMatch(misread[name]);
  });

  it('says of a pause and of a removal that deadlines go on', () => {
    const { pauseNote, removeText } = caseTexts[name];
    const { emailOff, paused } = messagesTexts[name];
    for (const text of [pauseNote, removeText, emailOff, paused, dataTexts[name].deletionText])
      expect(text).toMatch(goesOn[name]);
  });

  it('asks for permission, and for consent in the words of the person', () => {
    expect(newCaseTexts[name].acknowledge).toMatch(permission[name]);
    for (const text of [settingsTexts[name].email, settingsTexts[name].whatsapp])
      expect(text).toMatch(inOwnWords[name]);
  });

  it('says who may give advice, and who is no lawyer', () => {
    expect(frameTexts[name].advice).toMatch(notary[name]);
    expect(frameTexts[name].advice).toMatch(ofJustice[name]);
    expect(frameTexts[name].adviceLanguage).toEqual(inEnglish[name]);
  });
});
