import type { Language } from '@casewatch/contracts';

type Texts = {
  subject(lastFour: string): string;
  heading: string;
  intro: string;
  why: string;
  whyPartner(partner: string): string;
};

/** Frame of a mail about one status update; a language without one of them does not compile. */
export const statusMailTexts: Record<Language, Texts> = {
  en: {
    subject: (lastFour) => `Update on your case ending in ${lastFour}`,
    heading: 'There is an update on your case',
    intro: 'This e-mail says what changed, and whether there is something for you to do.',
    why: 'You are getting this e-mail because you asked us to follow this case and to write to you when it changes.',
    whyPartner: (partner) =>
      `You are getting this e-mail because ${partner} asked us to follow this case for you, and e-mails about the case are turned on.`,
  },
  es: {
    subject: (lastFour) => `Novedades sobre su caso que termina en ${lastFour}`,
    heading: 'Hay una novedad en su caso',
    intro: 'Este correo dice qué cambió y si hay algo que usted debe hacer.',
    why: 'Usted recibe este correo porque nos pidió dar seguimiento a este caso y avisarle cuando cambie.',
    whyPartner: (partner) =>
      `Usted recibe este correo porque ${partner} nos pidió dar seguimiento a este caso para usted, y los correos sobre el caso están activados.`,
  },
  pt: {
    subject: (lastFour) => `Atualização do seu caso com final ${lastFour}`,
    heading: 'Há uma atualização no seu caso',
    intro: 'Este e-mail diz o que mudou e se há algo para você fazer.',
    why: 'Você recebe este e-mail porque nos pediu para acompanhar este caso e avisar quando ele mudar.',
    whyPartner: (partner) =>
      `Você recebe este e-mail porque ${partner} nos pediu para acompanhar este caso para você, e os e-mails sobre o caso estão ativados.`,
  },
};
