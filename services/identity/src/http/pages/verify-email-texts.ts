import type { Language } from '@casewatch/contracts';

type Text = { title: string; text: string };
type Texts = { confirm: Text & { button: string }; done: Text; invalid: Text };

export const verifyEmailTexts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: {
      title: 'Confirm your e-mail address',
      text: 'Press the button so that we can send updates about your case to this address.',
      button: 'Confirm my address',
    },
    done: {
      title: 'Your e-mail address is verified',
      text: 'Thank you. You can close this page.',
    },
    invalid: {
      title: 'This link does not work any more',
      text: 'It may have expired, or the address was changed since. Ask for a new verification e-mail.',
    },
  },
  es: {
    confirm: {
      title: 'Confirme su dirección de correo electrónico',
      text: 'Pulse el botón para que podamos enviar las novedades de su caso a esta dirección.',
      button: 'Confirmar mi dirección',
    },
    done: {
      title: 'Su dirección de correo electrónico está verificada',
      text: 'Gracias. Ya puede cerrar esta página.',
    },
    invalid: {
      title: 'Este enlace ya no funciona',
      text: 'Puede haber caducado, o la dirección cambió desde entonces. Pida un nuevo correo de verificación.',
    },
  },
  pt: {
    confirm: {
      title: 'Confirme seu endereço de e-mail',
      text: 'Clique no botão para que possamos enviar as novidades do seu caso para este endereço.',
      button: 'Confirmar meu endereço',
    },
    done: {
      title: 'Seu endereço de e-mail foi verificado',
      text: 'Obrigado. Você já pode fechar esta página.',
    },
    invalid: {
      title: 'Este link não funciona mais',
      text: 'Ele pode ter expirado, ou o endereço mudou desde então. Peça um novo e-mail de verificação.',
    },
  },
};
