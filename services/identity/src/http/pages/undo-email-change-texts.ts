import type { Language } from '@casewatch/contracts';

type Text = { title: string; text: string };
type Texts = { confirm: Text & { button: string }; done: Text; invalid: Text; taken: Text };

export const undoEmailChangeTexts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: {
      title: 'Undo the change of your e-mail address',
      text: 'Press the button so that we write to this address again. All devices will then be signed out of your account.',
      button: 'Use this address again',
    },
    done: {
      title: 'The change was undone',
      text: 'We will write to this address again, and all devices were signed out. You can sign in with a new code.',
    },
    invalid: {
      title: 'This link no longer works',
      text: 'A link like this works for 7 days. It also stops working when an earlier change of your address is undone. Sign in to see the e-mail address of your account.',
    },
    taken: {
      title: 'This address belongs to another account now',
      text: 'The change cannot be undone, because another account now uses this address. Nothing else changed. Sign in with this address to see that account. If you did not make the change and an office opened the account for you, tell the office; its name is in our e-mails.',
    },
  },
  es: {
    confirm: {
      title: 'Deshacer el cambio de su correo electrónico',
      text: 'Toque el botón para que volvamos a escribirle a esta dirección. Se cerrará la sesión de su cuenta en todos los teléfonos y computadoras.',
      button: 'Volver a usar esta dirección',
    },
    done: {
      title: 'El cambio se deshizo',
      text: 'Volveremos a escribirle a esta dirección, y se cerró la sesión en todos los teléfonos y computadoras. Puede iniciar sesión con un nuevo código.',
    },
    invalid: {
      title: 'Este enlace ya no funciona',
      text: 'Un enlace como este sirve durante 7 días. También deja de servir cuando se deshace un cambio anterior de su dirección. Inicie sesión para ver la dirección de correo electrónico de su cuenta.',
    },
    taken: {
      title: 'Esta dirección pertenece ahora a otra cuenta',
      text: 'No se puede deshacer el cambio, porque otra cuenta tiene ahora esta dirección. No cambió nada más. Inicie sesión con esta dirección para ver esa cuenta. Si usted no hizo el cambio y una oficina abrió la cuenta para usted, avise a la oficina; su nombre está en nuestros correos.',
    },
  },
  pt: {
    confirm: {
      title: 'Desfazer a mudança do seu endereço de e-mail',
      text: 'Toque no botão para voltarmos a usar este endereço. A sua conta sairá de todos os celulares e computadores.',
      button: 'Voltar a usar este endereço',
    },
    done: {
      title: 'A mudança foi desfeita',
      text: 'Vamos voltar a escrever para este endereço, e a conta saiu de todos os celulares e computadores. Você pode entrar com um novo código.',
    },
    invalid: {
      title: 'Este link não funciona mais',
      text: 'Um link como este vale por 7 dias. Ele também deixa de valer quando uma mudança anterior do seu endereço é desfeita. Entre na sua conta para ver o endereço de e-mail dela.',
    },
    taken: {
      title: 'Este endereço pertence agora a outra conta',
      text: 'A mudança não pode ser desfeita, porque outra conta tem este endereço agora. Nada mais mudou. Entre com este endereço para ver essa conta. Se não foi você quem fez a mudança e um escritório abriu a conta para você, avise o escritório; o nome dele está nos nossos e-mails.',
    },
  },
};
