import type { Language } from '@casewatch/contracts';

type Texts = {
  oneCase: { heading: string };
  severalCases: { subject: string; heading: string };
  intro(count: number): string;
  /** Below those that have room. */
  more(count: number): string;
  why: string;
  whyPartner(partner: string): string;
};

/** Frame of a mail with several status updates; a language without one of them does not compile. */
export const digestMailTexts: Record<Language, Texts> = {
  en: {
    oneCase: { heading: 'There are updates on your case' },
    severalCases: { subject: 'Updates on your cases', heading: 'There are updates on your cases' },
    intro: (count) =>
      count === 1
        ? 'This e-mail says what changed, and whether there is something for you to do.'
        : `This e-mail has ${count} updates, newest first. It says what changed, and whether there is something for you to do.`,
    more: (count) =>
      count === 1
        ? 'One more update did not fit in this e-mail. You can see it in your account.'
        : `${count} more updates did not fit in this e-mail. You can see them in your account.`,
    why: 'You are getting this e-mail because you asked us to follow these cases and to write to you when they change.',
    whyPartner: (partner) =>
      `You are getting this e-mail because ${partner} asked us to follow these cases for you, and e-mails about the cases are turned on.`,
  },
  es: {
    oneCase: { heading: 'Hay novedades en su caso' },
    severalCases: { subject: 'Novedades sobre sus casos', heading: 'Hay novedades en sus casos' },
    intro: (count) =>
      count === 1
        ? 'Este correo dice qué cambió y si hay algo que usted debe hacer.'
        : `Este correo tiene ${count} novedades, de la más reciente a la más antigua. Dice qué cambió y si hay algo que usted debe hacer.`,
    more: (count) =>
      count === 1
        ? 'Una novedad más no cabe en este correo. Puede verla en su cuenta.'
        : `${count} novedades más no caben en este correo. Puede verlas en su cuenta.`,
    why: 'Usted recibe este correo porque nos pidió dar seguimiento a estos casos y avisarle cuando cambien.',
    whyPartner: (partner) =>
      `Usted recibe este correo porque ${partner} nos pidió dar seguimiento a estos casos para usted, y los correos sobre los casos están activados.`,
  },
  pt: {
    oneCase: { heading: 'Há atualizações no seu caso' },
    severalCases: {
      subject: 'Atualizações dos seus casos',
      heading: 'Há atualizações nos seus casos',
    },
    intro: (count) =>
      count === 1
        ? 'Este e-mail diz o que mudou e se há algo para você fazer.'
        : `Este e-mail tem ${count} atualizações, da mais recente à mais antiga. Ele diz o que mudou e se há algo para você fazer.`,
    more: (count) =>
      count === 1
        ? 'Mais uma atualização não coube neste e-mail. Você pode ver essa atualização na sua conta.'
        : `Mais ${count} atualizações não couberam neste e-mail. Você pode ver todas na sua conta.`,
    why: 'Você recebe este e-mail porque nos pediu para acompanhar estes casos e avisar quando eles mudarem.',
    whyPartner: (partner) =>
      `Você recebe este e-mail porque ${partner} nos pediu para acompanhar estes casos para você, e os e-mails sobre os casos estão ativados.`,
  },
};
