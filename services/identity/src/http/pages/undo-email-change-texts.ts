import type { Language } from '@casewatch/contracts';

type Text = { title: string; text: string };
type Texts = { confirm: Text & { button: string }; done: Text; invalid: Text; taken: Text };

export const undoEmailChangeTexts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: {
      title: 'Undo the change of your e-mail address',
      text: 'Press the button so that we write to this address again. All devices are then signed out of your account.',
      button: 'Restore this address',
    },
    done: {
      title: 'The change is undone',
      text: 'We write to this address again, and all devices are signed out. You can sign in with a new code.',
    },
    invalid: {
      title: 'This link does not work any more',
      text: 'It works for 7 days, or until an earlier change is undone. Sign in to see the e-mail address of your account.',
    },
    taken: {
      title: 'This address belongs to another account now',
      text: 'The change cannot be undone, because another account now uses this address.',
    },
  },
  es: {
    confirm: {
      title: 'Deshacer el cambio de su correo electrónico',
      text: 'Presione el botón para que volvamos a escribirle a esta dirección. Se cerrarán todas las sesiones abiertas en su cuenta.',
      button: 'Restaurar esta dirección',
    },
    done: {
      title: 'El cambio está deshecho',
      text: 'Volvemos a escribirle a esta dirección y se cerraron todas las sesiones. Puede iniciar sesión con un nuevo código.',
    },
    invalid: {
      title: 'Este enlace ya no funciona',
      text: 'Sirve durante 7 días, o hasta que se deshace un cambio anterior. Inicie sesión para ver la dirección de correo electrónico de su cuenta.',
    },
    taken: {
      title: 'Esta dirección pertenece ahora a otra cuenta',
      text: 'No se puede deshacer el cambio, porque otra cuenta tiene ahora esta dirección.',
    },
  },
  pt: {
    confirm: {
      title: 'Desfazer a mudança do seu endereço de e-mail',
      text: 'Clique no botão para que voltemos a escrever para este endereço. Todas as sessões abertas na sua conta serão encerradas.',
      button: 'Restaurar este endereço',
    },
    done: {
      title: 'A mudança foi desfeita',
      text: 'Voltamos a escrever para este endereço, e todas as sessões foram encerradas. Você pode entrar com um novo código.',
    },
    invalid: {
      title: 'Este link não funciona mais',
      text: 'Ele vale por 7 dias, ou até que uma mudança anterior seja desfeita. Entre na sua conta para ver o endereço de e-mail dela.',
    },
    taken: {
      title: 'Este endereço pertence agora a outra conta',
      text: 'A mudança não pode ser desfeita, porque outra conta tem este endereço agora.',
    },
  },
};
