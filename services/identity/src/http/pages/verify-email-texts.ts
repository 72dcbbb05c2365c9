import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

type Text = { title: string; text: string };
type Texts = {
  /** `ofPartner`: instead of `text` for a client of a partner. True also where its mails reach addresses that nobody confirmed. */
  confirm: Text & { ofPartner(partner: Markup): Markup; button: string };
  /** `withoutMessages`: instead of `text` for whoever gets none. */
  done: Text & { withoutMessages: string };
  expired: Text & { button: string };
  newLink: Text;
  newLinkLater: Text;
  invalid: Text;
};

export const verifyEmailTexts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: {
      title: 'Confirm your e-mail address',
      text: 'Press the button so that we can send updates about your case to this address.',
      ofPartner: (partner) =>
        html`${partner} wants to send you updates about your case through Casewatch. Press the button to confirm that this is your address. If you do not know ${partner}, close this page.`,
      button: 'Confirm my address',
    },
    done: {
      title: 'Your e-mail address is confirmed',
      text: 'Thank you. From now on we write to you when your case changes. Sign in to see it now; you need only this address.',
      withoutMessages:
        'Thank you. Your messages are off; you can turn them on in the settings. Sign in to see your case now; you need only this address.',
    },
    expired: {
      title: 'This link has expired',
      text: 'A link works for 48 hours. Press the button, and we send a new one to the same address.',
      button: 'Send a new link',
    },
    newLink: {
      title: 'We sent a new link',
      text: 'Look for a new e-mail from us, and check your spam folder too. The new link works for 48 hours. You can close this page.',
    },
    newLinkLater: {
      title: 'We sent an e-mail a short while ago',
      text: 'Look for it, and check your spam folder too. If you do not find it, come back to this link later and ask for another e-mail.',
    },
    invalid: {
      title: 'This link no longer works',
      text: 'It may be incomplete, or your address may have changed after we sent it. Open the link in our newest e-mail, or ask for a new one where you signed up.',
    },
  },
  es: {
    confirm: {
      title: 'Confirme su dirección de correo electrónico',
      text: 'Toque el botón para que podamos enviar las novedades de su caso a esta dirección.',
      ofPartner: (partner) =>
        html`${partner} quiere enviarle las novedades de su caso por medio de Casewatch. Toque el botón para confirmar que esta dirección es suya. Si usted no conoce a ${partner}, cierre esta página.`,
      button: 'Confirmar mi correo electrónico',
    },
    done: {
      title: 'Su dirección de correo electrónico quedó confirmada',
      text: 'Gracias. Desde ahora le escribiremos cuando su caso cambie. Inicie sesión para verlo ya; solo necesita esta dirección.',
      withoutMessages:
        'Gracias. Sus mensajes están desactivados; puede activarlos en los ajustes. Inicie sesión para ver su caso ya; solo necesita esta dirección.',
    },
    expired: {
      title: 'Este enlace ya venció',
      text: 'Un enlace sirve durante 48 horas. Toque el botón y le enviaremos uno nuevo a la misma dirección.',
      button: 'Enviar un enlace nuevo',
    },
    newLink: {
      title: 'Le enviamos un enlace nuevo',
      text: 'Busque un correo nuevo de nosotros, también en la carpeta de correo no deseado. El enlace nuevo sirve durante 48 horas. Ya puede cerrar esta página.',
    },
    newLinkLater: {
      title: 'Le enviamos un correo hace poco',
      text: 'Búsquelo, también en la carpeta de correo no deseado. Si no lo encuentra, vuelva más tarde a este enlace y pida otro correo.',
    },
    invalid: {
      title: 'Este enlace ya no funciona',
      text: 'Puede estar incompleto, o su dirección puede haber cambiado después de que lo enviamos. Abra el enlace de nuestro correo más reciente, o pida uno nuevo donde se registró.',
    },
  },
  pt: {
    confirm: {
      title: 'Confirme o seu endereço de e-mail',
      text: 'Toque no botão para que possamos enviar as atualizações do seu caso para este endereço.',
      ofPartner: (partner) =>
        html`${partner} quer enviar a você as atualizações do seu caso pelo Casewatch. Toque no botão para confirmar que este endereço é seu. Se você não conhece ${partner}, feche esta página.`,
      button: 'Confirmar o meu endereço',
    },
    done: {
      title: 'O seu endereço de e-mail foi confirmado',
      text: 'Obrigado. A partir de agora, escreveremos quando o seu caso mudar. Entre para ver o caso já; você só precisa deste e-mail.',
      withoutMessages:
        'Obrigado. As suas mensagens estão desativadas; você pode ativá-las nas configurações. Entre para ver o seu caso agora; basta este endereço.',
    },
    expired: {
      title: 'Este link expirou',
      text: 'Um link vale por 48 horas. Toque no botão e enviaremos um novo para o mesmo endereço.',
      button: 'Enviar um novo link',
    },
    newLink: {
      title: 'Enviamos um novo link',
      text: 'Procure um novo e-mail nosso, também na pasta de spam. O novo link vale por 48 horas. Você já pode fechar esta página.',
    },
    newLinkLater: {
      title: 'Enviamos um e-mail há pouco tempo',
      text: 'Procure esse e-mail, também na pasta de spam. Se não achar, volte mais tarde a este link e peça outro e-mail.',
    },
    invalid: {
      title: 'Este link não funciona mais',
      text: 'Ele pode estar incompleto, ou o seu endereço pode ter mudado depois do envio. Abra o link do nosso e-mail mais recente, ou peça um novo onde você se cadastrou.',
    },
  },
};
