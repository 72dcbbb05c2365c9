import type { Language } from '@casewatch/contracts';

type Texts = {
  support(contact: string): string;
  stop: string;
  advice: string;
  disclaimer: string;
};

/** What stands below every mail about cases; a language without one of them does not compile. */
export const footTexts: Record<Language, Texts> = {
  en: {
    support: (contact) => `Questions? Contact ${contact}.`,
    stop: 'Stop these e-mails',
    advice:
      'For advice about your case, ask an immigration lawyer or a representative accredited by the U.S. Department of Justice. In the United States, a notary public is not a lawyer: uscis.gov/avoid-scams',
    disclaimer: 'We are not USCIS or any other part of the government, and this is not legal advice.',
  },
  es: {
    support: (contact) => `¿Preguntas? Comuníquese con ${contact}.`,
    stop: 'Dejar de recibir estos correos',
    advice:
      'Para recibir asesoría sobre su caso, consulte a un abogado de inmigración o a un representante acreditado por el Departamento de Justicia de EE. UU. En Estados Unidos, un notario no es abogado: uscis.gov/avoid-scams (la página se abre en inglés; elija “Español” en la parte de arriba)',
    disclaimer: 'No somos USCIS ni ninguna otra agencia del gobierno, y esto no es asesoría legal.',
  },
  pt: {
    support: (contact) => `Dúvidas? Fale com ${contact}.`,
    stop: 'Parar de receber estes e-mails',
    advice:
      'Para receber orientação sobre o seu caso, consulte um advogado de imigração ou um representante credenciado pelo Departamento de Justiça dos EUA. Nos Estados Unidos, um notário (notary public) ou despachante não é advogado: uscis.gov/avoid-scams (em inglês)',
    disclaimer: 'Não somos o USCIS nem nenhum outro órgão do governo, e isto não é aconselhamento jurídico.',
  },
};
