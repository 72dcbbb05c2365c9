import type { Language } from '@casewatch/contracts';

type Texts = {
  title: string;
  emailOn(email: string): string;
  emailOff: string;
  whatsappOn(phone: string): string;
  pause: string;
  resume: string;
  paused: string;
  resumed: string;
};

/** Pausing and resuming e-mails about cases. */
export const messagesTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Messages',
    emailOn: (email) => `We write to ${email} when something changes.`,
    emailOff:
      'E-mails about your cases are paused. USCIS deadlines still count. You can see every change on this page.',
    whatsappOn: (phone) =>
      `We also send WhatsApp messages to ${phone}. You can turn them off in the settings.`,
    pause: 'Pause the e-mails',
    resume: 'Send me e-mails again',
    paused:
      'The e-mails are paused. USCIS deadlines still count. We keep checking your cases, and you can see every change here. You can turn the e-mails on again at any time.',
    resumed: 'We will send you e-mails again when something changes.',
  },
  es: {
    title: 'Mensajes',
    emailOn: (email) => `Le escribimos a ${email} cuando algo cambia.`,
    emailOff:
      'Los correos sobre sus casos están en pausa. Los plazos de USCIS siguen corriendo. Puede ver cada cambio en esta página.',
    whatsappOn: (phone) =>
      `También enviamos mensajes de WhatsApp al ${phone}. Puede desactivarlos en los ajustes.`,
    pause: 'Pausar los correos',
    resume: 'Volver a recibir correos',
    paused:
      'Los correos están en pausa. Los plazos de USCIS siguen corriendo. Seguimos consultando sus casos y usted verá aquí cada cambio. Puede volver a recibirlos en cualquier momento.',
    resumed: 'Volveremos a enviarle correos cuando algo cambie.',
  },
  pt: {
    title: 'Mensagens',
    emailOn: (email) => `Escrevemos para ${email} quando algo muda.`,
    emailOff:
      'Os e-mails sobre os seus casos estão em pausa. Os prazos do USCIS continuam valendo. Você vê cada mudança nesta página.',
    whatsappOn: (phone) =>
      `Também enviamos mensagens de WhatsApp para ${phone}. Você pode desativá-las nas configurações.`,
    pause: 'Pausar os e-mails',
    resume: 'Voltar a receber e-mails',
    paused:
      'Os e-mails estão em pausa. Os prazos do USCIS continuam valendo. Continuamos consultando os seus casos, e você vê aqui cada mudança. Você pode voltar a receber os e-mails a qualquer momento.',
    resumed: 'Vamos voltar a enviar e-mails quando algo mudar.',
  },
};
