import type { Language } from '@casewatch/contracts';

type Text = { title: string; text: string };
type Texts = {
  confirm: { title: string; text(account: string): string; warning: string; button: string };
  allow: {
    title: string;
    text(newAddress: string): string;
    button: string;
    stopText: string;
    stopButton: string;
  };
  oneConfirmed: Text;
  stopped: Text;
};

/** What the pages of a change of address say: to the new address, and to the present one. */
export const changeEmailTexts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: {
      title: 'Use this address for an account',
      text: (account) =>
        `The account with the address ${account} asked to use this e-mail address from now on. Press the button only if this is your account.`,
      warning: 'If you did not ask for this, close this page: nothing happens then.',
      button: 'Use this address',
    },
    allow: {
      title: 'Change the e-mail address of your account',
      text: (newAddress) =>
        `Somebody who is signed in to your account asked to change its e-mail address to ${newAddress}. If it was you, allow it. When both addresses have confirmed, everybody is signed out, and you sign in with the new address. If you signed up yourself, enter your name and phone number again then.`,
      button: 'Allow the change',
      stopText: 'If it was not you, stop the change. Your address stays, and everybody is signed out.',
      stopButton: 'Stop the change',
    },
    oneConfirmed: {
      title: 'Thank you',
      text: 'The change takes effect when the other address has confirmed it too: both got an e-mail.',
    },
    stopped: {
      title: 'The change is stopped',
      text: 'Your e-mail address stays as it is, and everybody is signed out. You can sign in with a new code.',
    },
  },
  es: {
    confirm: {
      title: 'Usar esta dirección para una cuenta',
      text: (account) =>
        `La cuenta con la dirección ${account} pidió usar este correo electrónico a partir de ahora. Pulse el botón solo si es su cuenta.`,
      warning: 'Si usted no lo pidió, cierre esta página: no pasará nada.',
      button: 'Usar esta dirección',
    },
    allow: {
      title: 'Cambiar el correo electrónico de su cuenta',
      text: (newAddress) =>
        `Alguien con una sesión abierta en su cuenta pidió cambiar el correo electrónico a ${newAddress}. Si fue usted, permítalo. Cuando las dos direcciones hayan confirmado, se cerrarán todas las sesiones y usted entrará con la nueva dirección. Si usted mismo se registró, vuelva a escribir entonces su nombre y su teléfono.`,
      button: 'Permitir el cambio',
      stopText: 'Si no fue usted, detenga el cambio. Su dirección no cambia y se cierran todas las sesiones.',
      stopButton: 'Detener el cambio',
    },
    oneConfirmed: {
      title: 'Gracias',
      text: 'El cambio se hará cuando la otra dirección también lo haya confirmado: las dos recibieron un correo.',
    },
    stopped: {
      title: 'El cambio está detenido',
      text: 'Su correo electrónico sigue igual y se cerraron todas las sesiones. Puede iniciar sesión con un nuevo código.',
    },
  },
  pt: {
    confirm: {
      title: 'Usar este endereço para uma conta',
      text: (account) =>
        `A conta com o endereço ${account} pediu para usar este e-mail a partir de agora. Clique no botão somente se a conta for sua.`,
      warning: 'Se você não pediu isso, feche esta página: nada acontece.',
      button: 'Usar este endereço',
    },
    allow: {
      title: 'Mudar o endereço de e-mail da sua conta',
      text: (newAddress) =>
        `Alguém com uma sessão aberta na sua conta pediu para mudar o endereço de e-mail para ${newAddress}. Se foi você, permita. Quando os dois endereços tiverem confirmado, todas as sessões serão encerradas, e você entrará com o novo endereço. Se você mesmo se cadastrou, informe de novo o seu nome e telefone.`,
      button: 'Permitir a mudança',
      stopText:
        'Se não foi você, interrompa a mudança. O seu endereço continua o mesmo, e todas as sessões são encerradas.',
      stopButton: 'Interromper a mudança',
    },
    oneConfirmed: {
      title: 'Obrigado',
      text: 'A mudança vale quando o outro endereço também tiver confirmado: os dois receberam um e-mail.',
    },
    stopped: {
      title: 'A mudança foi interrompida',
      text: 'O seu endereço de e-mail continua o mesmo, e todas as sessões foram encerradas. Você pode entrar com um novo código.',
    },
  },
};
