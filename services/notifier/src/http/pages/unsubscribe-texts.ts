import type { Channel, Language } from '@casewatch/contracts';

type Text = { title: string; text: string };
type ChannelTexts = { confirm: Text & { button: string }; done: Text; other: Text };
type Texts = Record<Channel, ChannelTexts> & { invalid: Text };

/** `other`: offers to stop this channel too, on the page of the other one. */
export const unsubscribeTexts: Record<Language, Texts> = {
  en: {
    email: {
      confirm: {
        title: 'Stop e-mails about your cases?',
        text: 'Press the button to stop updates by e-mail. USCIS deadlines still count. You will still get sign-in codes and e-mails about your account.',
        button: 'Stop the e-mails',
      },
      done: {
        title: 'You will not get any more e-mails about your cases',
        text: 'Only you can turn them on again, when you are signed in.',
      },
      other: { title: 'E-mails', text: 'You still get updates about your cases by e-mail.' },
    },
    whatsapp: {
      confirm: {
        title: 'Stop WhatsApp messages about your cases?',
        text: 'Press the button to stop updates by WhatsApp. USCIS deadlines still count.',
        button: 'Stop the messages',
      },
      done: {
        title: 'You will not get any more WhatsApp messages about your cases',
        text: 'Only you can turn them on again, when you are signed in.',
      },
      other: { title: 'WhatsApp', text: 'You still get updates about your cases by WhatsApp.' },
    },
    invalid: {
      title: 'This link does not work',
      text: 'Part of it may be missing. Please open the whole link in the e-mail.',
    },
  },
  es: {
    email: {
      confirm: {
        title: '¿Dejar de recibir correos sobre sus casos?',
        text: 'Toque el botón si ya no quiere recibir novedades por correo electrónico. Los plazos de USCIS siguen corriendo. Los códigos de acceso y los correos sobre su cuenta seguirán llegando.',
        button: 'Dejar de recibir correos',
      },
      done: {
        title: 'Ya no recibirá correos sobre sus casos',
        text: 'Solo usted puede volver a activarlos, después de iniciar sesión.',
      },
      other: {
        title: 'Correo electrónico',
        text: 'Sigue recibiendo novedades sobre sus casos por correo electrónico.',
      },
    },
    whatsapp: {
      confirm: {
        title: '¿Dejar de recibir mensajes de WhatsApp sobre sus casos?',
        text: 'Toque el botón si ya no quiere recibir novedades por WhatsApp. Los plazos de USCIS siguen corriendo.',
        button: 'Dejar de recibir mensajes',
      },
      done: {
        title: 'Ya no recibirá mensajes de WhatsApp sobre sus casos',
        text: 'Solo usted puede volver a activarlos, después de iniciar sesión.',
      },
      other: { title: 'WhatsApp', text: 'Sigue recibiendo novedades sobre sus casos por WhatsApp.' },
    },
    invalid: {
      title: 'Este enlace no funciona',
      text: 'Puede estar incompleto. Abra el enlace completo que está en el correo.',
    },
  },
  pt: {
    email: {
      confirm: {
        title: 'Parar de receber e-mails sobre os seus casos?',
        text: 'Toque no botão se você não quer mais receber atualizações por e-mail. Os prazos do USCIS continuam valendo. Os códigos de acesso e os e-mails sobre a sua conta continuam chegando.',
        button: 'Parar de receber e-mails',
      },
      done: {
        title: 'Você não receberá mais e-mails sobre os seus casos',
        text: 'Só você pode ativá-los de novo, depois de entrar na sua conta.',
      },
      other: {
        title: 'E-mail',
        text: 'Você continua recebendo atualizações sobre os seus casos por e-mail.',
      },
    },
    whatsapp: {
      confirm: {
        title: 'Parar de receber mensagens de WhatsApp sobre os seus casos?',
        text: 'Toque no botão se você não quer mais receber atualizações por WhatsApp. Os prazos do USCIS continuam valendo.',
        button: 'Parar de receber mensagens',
      },
      done: {
        title: 'Você não receberá mais mensagens de WhatsApp sobre os seus casos',
        text: 'Só você pode ativá-las de novo, depois de entrar na sua conta.',
      },
      other: {
        title: 'WhatsApp',
        text: 'Você continua recebendo atualizações sobre os seus casos por WhatsApp.',
      },
    },
    invalid: {
      title: 'Este link não funciona',
      text: 'Ele pode estar incompleto. Abra o link completo que está no e-mail.',
    },
  },
};
