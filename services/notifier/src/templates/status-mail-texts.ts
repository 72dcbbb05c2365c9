import type { Language } from '@casewatch/contracts';

type Texts = {
  subject(lastFour: string): string;
  heading: string;
  aboutCase(masked: string, reference: string): string;
  before: string;
  now: string;
  onlyDetails: string;
  official: string;
  /** Said where the official words are not in the reader's language; null where they are. */
  officialLanguage: string | null;
  meaning: string;
  link: string;
  seen(when: string): string;
  why: string;
  whyPartner(partner: string): string;
  support(contact: string): string;
  disclaimer: string;
};

/** Everything a status mail says in our own words; a language without one of them does not compile. */
export const statusMailTexts: Record<Language, Texts> = {
  en: {
    subject: (lastFour) => `Update on your case ending ${lastFour}`,
    heading: 'There is an update on your case',
    aboutCase: (masked, reference) => `Case with receipt number ${masked} (reference ${reference})`,
    before: 'Before',
    now: 'Now',
    onlyDetails: 'The title of the status is the same as before; its text has changed.',
    official: 'What USCIS says',
    officialLanguage: null,
    meaning: 'What this means',
    link: 'See your case',
    seen: (when) => `We saw this change on ${when}.`,
    why: 'You get this e-mail because you asked us to watch this case and to write to you when it changes.',
    whyPartner: (partner) =>
      `You get this e-mail because ${partner} has us watch this case for you and e-mails are switched on.`,
    support: (contact) => `Questions? Contact ${contact}.`,
    disclaimer: 'We are not USCIS or any other part of the government, and this is not legal advice.',
  },
  es: {
    subject: (lastFour) => `Novedades de su caso terminado en ${lastFour}`,
    heading: 'Hay una novedad en su caso',
    aboutCase: (masked, reference) => `Caso con número de recibo ${masked} (referencia ${reference})`,
    before: 'Antes',
    now: 'Ahora',
    onlyDetails: 'El título del estado es el mismo que antes; su texto ha cambiado.',
    official: 'Lo que dice USCIS',
    officialLanguage: null,
    meaning: 'Qué significa',
    link: 'Ver su caso',
    seen: (when) => `Vimos este cambio el ${when}.`,
    why: 'Recibe este correo porque nos pidió vigilar este caso y avisarle cuando cambie.',
    whyPartner: (partner) =>
      `Recibe este correo porque ${partner} nos encargó vigilar este caso por usted y los avisos por correo están activados.`,
    support: (contact) => `¿Preguntas? Comuníquese con ${contact}.`,
    disclaimer: 'No somos USCIS ni ninguna otra parte del gobierno, y esto no es asesoría legal.',
  },
  pt: {
    subject: (lastFour) => `Atualização do seu caso com final ${lastFour}`,
    heading: 'Há uma atualização no seu caso',
    aboutCase: (masked, reference) => `Caso com número de recibo ${masked} (referência ${reference})`,
    before: 'Antes',
    now: 'Agora',
    onlyDetails: 'O título do status é o mesmo de antes; o texto mudou.',
    official: 'O que diz o USCIS',
    officialLanguage:
      'O USCIS não publica este texto em português; estas são as palavras oficiais em inglês.',
    meaning: 'O que isso significa',
    link: 'Ver o seu caso',
    seen: (when) => `Vimos esta mudança em ${when}.`,
    why: 'Você recebe este e-mail porque pediu que acompanhássemos este caso e avisássemos quando ele mudasse.',
    whyPartner: (partner) =>
      `Você recebe este e-mail porque ${partner} nos encarregou de acompanhar este caso por você e os avisos por e-mail estão ativados.`,
    support: (contact) => `Dúvidas? Fale com ${contact}.`,
    disclaimer:
      'Não somos o USCIS nem qualquer outra parte do governo, e isto não é aconselhamento jurídico.',
  },
};
