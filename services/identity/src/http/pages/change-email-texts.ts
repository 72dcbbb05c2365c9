import type { Language } from '@casewatch/contracts';

type Text = { title: string; text: string };
type Texts = {
  confirm: { title: string; text(account: string): string; effect: string; warning: string; button: string };
  stop: { title: string; text(newAddress: string): string; ifNotYou: string; button: string };
  stopped: Text;
};

/** Pages about a requested change of address: for the new address, and for the present address. */
export const changeEmailTexts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: {
      title: 'Use this address for an account',
      text: (account) =>
        `Someone asked to use this e-mail address, from now on, for the account with the address ${account}. Press the button only if this is your account.`,
      effect:
        'All devices will then be signed out, and you will sign in with this address. If you signed up yourself, enter your name and phone number again.',
      warning: 'If you did not ask for this, close this page. The account will keep its current address.',
      button: 'Use this address',
    },
    stop: {
      title: 'Change of the e-mail address of your account',
      text: (newAddress) =>
        `Someone who is signed in to your account asked to change its e-mail address to ${newAddress}. If it was you, open the link that we sent to the new address, and close this page.`,
      ifNotYou:
        'If it was not you, stop the change now. Your address then stays the same, and all devices are signed out. After the new address is confirmed, this link no longer works.',
      button: 'Stop the change',
    },
    stopped: {
      title: 'The change was stopped',
      text: 'Your e-mail address stays the same, and all devices were signed out. You can sign in with a new code.',
    },
  },
  es: {
    confirm: {
      title: 'Usar esta dirección para una cuenta',
      text: (account) =>
        `Alguien pidió usar este correo electrónico, a partir de ahora, en la cuenta que hoy tiene la dirección ${account}. Toque el botón solo si es su cuenta.`,
      effect:
        'Después se cerrará la sesión en todos los teléfonos y computadoras, y usted tendrá que iniciar sesión con esta dirección. Si se registró directamente con nosotros, vuelva a escribir su nombre y su teléfono.',
      warning: 'Si usted no lo pidió, cierre esta página. Así, la cuenta conservará su dirección actual.',
      button: 'Usar esta dirección',
    },
    stop: {
      title: 'Cambio del correo electrónico de su cuenta',
      text: (newAddress) =>
        `Alguien que inició sesión en su cuenta pidió cambiar el correo electrónico a ${newAddress}. Si fue usted, abra el enlace que enviamos a la nueva dirección y cierre esta página.`,
      ifNotYou:
        'Si no fue usted, cancele el cambio ahora. Así, su dirección no cambia y se cierra la sesión en todos los teléfonos y computadoras. Cuando la nueva dirección se confirme, este enlace ya no servirá.',
      button: 'Cancelar el cambio',
    },
    stopped: {
      title: 'El cambio se canceló',
      text: 'Su correo electrónico sigue igual y se cerró la sesión en todos los teléfonos y computadoras. Puede iniciar sesión con un nuevo código.',
    },
  },
  pt: {
    confirm: {
      title: 'Usar este endereço para uma conta',
      text: (account) =>
        `Alguém pediu para usar este e-mail, a partir de agora, na conta que hoje tem o endereço ${account}. Toque no botão somente se a conta for sua.`,
      effect:
        'Depois disso, a conta sai de todos os celulares e computadores, e você vai entrar com este endereço. Se você se cadastrou por conta própria, informe de novo o seu nome e telefone.',
      warning: 'Se você não pediu isso, feche esta página. Assim, a conta continua com o endereço atual.',
      button: 'Usar este endereço',
    },
    stop: {
      title: 'Mudança do endereço de e-mail da sua conta',
      text: (newAddress) =>
        `Alguém que entrou na sua conta pediu para mudar o endereço de e-mail para ${newAddress}. Se foi você, abra o link que enviamos ao novo endereço e feche esta página.`,
      ifNotYou:
        'Se não foi você, cancele a mudança agora. Assim, o seu endereço continua o mesmo, e a conta sai de todos os celulares e computadores. Depois que o novo endereço for confirmado, este link não funciona mais.',
      button: 'Cancelar a mudança',
    },
    stopped: {
      title: 'A mudança foi cancelada',
      text: 'O seu endereço de e-mail continua o mesmo, e a conta saiu de todos os celulares e computadores. Você pode entrar com um novo código.',
    },
  },
};
