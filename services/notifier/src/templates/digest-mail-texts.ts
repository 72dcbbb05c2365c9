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
    oneCase: { heading: 'There is news about your case' },
    severalCases: { subject: 'Updates on your cases', heading: 'There are updates on your cases' },
    intro: (count) =>
      count === 1
        ? 'This e-mail says what changed, and whether there is something to do.'
        : `This e-mail has ${count} updates, the newest first. It says what changed, and whether there is something to do.`,
    more: (count) =>
      count === 1
        ? 'One more update has no room in this e-mail. It is in your account.'
        : `${count} more updates have no room in this e-mail. They are in your account.`,
    why: 'You get this e-mail because you asked us to follow these cases and to write to you when they change.',
    whyPartner: (partner) =>
      `You get this e-mail because ${partner} asked us to follow these cases for you, and e-mails are turned on.`,
  },
  es: {
    oneCase: { heading: 'Hay novedades en su caso' },
    severalCases: { subject: 'Novedades sobre sus casos', heading: 'Hay novedades en sus casos' },
    intro: (count) =>
      count === 1
        ? 'Este correo dice qué cambió y si hay algo que hacer.'
        : `Este correo tiene ${count} novedades, de la más reciente a la más antigua. Dice qué cambió y si hay algo que hacer.`,
    more: (count) =>
      count === 1
        ? 'Una novedad más no cabe en este correo. La encuentra en su cuenta.'
        : `${count} novedades más no caben en este correo. Las encuentra en su cuenta.`,
    why: 'Recibe este correo porque nos pidió dar seguimiento a estos casos y avisarle cuando cambien.',
    whyPartner: (partner) =>
      `Recibe este correo porque ${partner} nos pidió dar seguimiento a estos casos para usted, y los correos con novedades están activados.`,
  },
  pt: {
    oneCase: { heading: 'Há atualizações no seu caso' },
    severalCases: {
      subject: 'Atualizações dos seus casos',
      heading: 'Há atualizações nos seus casos',
    },
    intro: (count) =>
      count === 1
        ? 'Este e-mail diz o que mudou e se há algo a fazer.'
        : `Este e-mail tem ${count} atualizações, da mais recente à mais antiga. Ele diz o que mudou e se há algo a fazer.`,
    more: (count) =>
      count === 1
        ? 'Mais uma atualização não cabe neste e-mail. Ela está na sua conta.'
        : `Mais ${count} atualizações não cabem neste e-mail. Elas estão na sua conta.`,
    why: 'Você recebe este e-mail porque nos pediu para acompanhar estes casos e avisar quando eles mudarem.',
    whyPartner: (partner) =>
      `Você recebe este e-mail porque ${partner} nos pediu para acompanhar estes casos para você, e os e-mails sobre os casos estão ativados.`,
  },
};
