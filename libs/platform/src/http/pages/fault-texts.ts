import type { Language } from '@casewatch/contracts';

type Text = { readonly title: string; readonly text: string };

/** Why a page cannot be shown. */
export type Cause =
  /** The token is missing, was cut, or is sent twice. */
  | 'link'
  /** What the browser sent is nothing that the page expects. */
  | 'request'
  | 'headers'
  | 'slow'
  | 'failure'
  | 'outage';

type Texts = Readonly<Record<Cause, Text>> & {
  tooMany(minutes: number): Text;
  /** The texts for a page to which no link in a mail leads. */
  readonly ofPage: Readonly<Record<Exclude<Cause, 'link'>, string>> & { tooMany(minutes: number): string };
  readonly signIn: string;
  readonly request_id: string;
};

/** What happened, and what the person can do next. */
export const faultTexts: Readonly<Record<Language, Texts>> = {
  en: {
    link: {
      title: 'This link is incomplete',
      text: 'Part of it is missing, or it was changed along the way. Open the link in our newest e-mail again, or copy the whole link into your browser. If that does not help, sign in: in your settings you can change your e-mail address and the messages that you get.',
    },
    request: {
      title: 'This page cannot be opened like this',
      text: 'Your browser sent something that this page does not expect. Nothing was changed. Open the link in our e-mail again.',
    },
    headers: {
      title: 'Your browser sent too much',
      text: 'Nothing was changed. Delete the cookies of this site, or open the link in our e-mail in a private window.',
    },
    slow: {
      title: 'The connection was too slow',
      text: 'Not everything that your browser sent arrived. Nothing was changed. Open the link in our e-mail again.',
    },
    failure: {
      title: 'This did not work',
      text: 'Something went wrong on our side. Please open the link in our e-mail again in a few minutes.',
    },
    outage: {
      title: 'This is not working right now',
      text: 'Nothing was lost. Please open the link in our e-mail again in a few minutes.',
    },
    tooMany: (minutes) => ({
      title: 'Please wait a moment',
      text: `There were too many attempts from your internet connection. Please wait ${minutes <= 1 ? 'a minute' : `${minutes} minutes`}, and then open the link in our e-mail again.`,
    }),
    ofPage: {
      request:
        'Your browser sent something that this page does not expect. Nothing was changed. Go back, or begin again by signing in.',
      headers: 'Nothing was changed. Delete the cookies of this site, or open it in a private window.',
      slow: 'Not everything that your browser sent arrived. Nothing was changed. Go back and try again.',
      failure: 'Something went wrong on our side. Please try again in a few minutes.',
      outage: 'Nothing was lost. Please try again in a few minutes.',
      tooMany: (minutes) =>
        `There were too many attempts from your internet connection. Please wait ${minutes <= 1 ? 'a minute' : `${minutes} minutes`}, and then try again.`,
    },
    signIn: 'Sign in',
    request_id: 'Code of this error (copy it if you write to us)',
  },
  es: {
    link: {
      title: 'Este enlace no está completo',
      text: 'Falta una parte, o algo cambió en el camino. Abra de nuevo el enlace de nuestro correo más reciente, o copie el enlace completo en su navegador. Si eso no ayuda, inicie sesión: en sus ajustes puede cambiar su correo electrónico y los mensajes que recibe.',
    },
    request: {
      title: 'Esta página no se puede abrir así',
      text: 'Su navegador envió algo que esta página no espera. No se cambió nada. Abra de nuevo el enlace de nuestro correo.',
    },
    headers: {
      title: 'Su navegador envió demasiados datos',
      text: 'No se cambió nada. Borre las cookies de este sitio, o abra el enlace de nuestro correo en una ventana privada.',
    },
    slow: {
      title: 'La conexión fue demasiado lenta',
      text: 'No llegó todo lo que envió su navegador. No se cambió nada. Abra de nuevo el enlace de nuestro correo.',
    },
    failure: {
      title: 'No funcionó',
      text: 'Algo falló de nuestro lado. Abra de nuevo el enlace de nuestro correo en unos minutos.',
    },
    outage: {
      title: 'Esto no funciona en este momento',
      text: 'No se perdió nada. Abra de nuevo el enlace de nuestro correo en unos minutos.',
    },
    tooMany: (minutes) => ({
      title: 'Espere un momento',
      text: `Hubo demasiados intentos desde su conexión a internet. Espere ${minutes <= 1 ? 'un minuto' : `${minutes} minutos`} y después abra de nuevo el enlace de nuestro correo.`,
    }),
    ofPage: {
      request:
        'Su navegador envió algo que esta página no espera. No se cambió nada. Vuelva atrás, o empiece de nuevo iniciando sesión.',
      headers: 'No se cambió nada. Borre las cookies de este sitio, o ábralo en una ventana privada.',
      slow: 'No llegó todo lo que envió su navegador. No se cambió nada. Vuelva atrás e inténtelo de nuevo.',
      failure: 'Algo falló de nuestro lado. Inténtelo de nuevo en unos minutos.',
      outage: 'No se perdió nada. Inténtelo de nuevo en unos minutos.',
      tooMany: (minutes) =>
        `Hubo demasiados intentos desde su conexión a internet. Espere ${minutes <= 1 ? 'un minuto' : `${minutes} minutos`} e inténtelo de nuevo.`,
    },
    signIn: 'Iniciar sesión',
    request_id: 'Código de este error (si nos escribe, cópielo)',
  },
  pt: {
    link: {
      title: 'Este link não está completo',
      text: 'Falta uma parte, ou algo mudou no caminho. Abra de novo o link do nosso e-mail mais recente, ou copie o link inteiro no seu navegador. Se isso não ajudar, entre na sua conta: nas configurações você pode mudar o seu e-mail e as mensagens que recebe.',
    },
    request: {
      title: 'Esta página não pode ser aberta assim',
      text: 'O seu navegador enviou algo que esta página não espera. Nada mudou. Abra de novo o link do nosso e-mail.',
    },
    headers: {
      title: 'O seu navegador enviou dados demais',
      text: 'Nada mudou. Apague os cookies deste site, ou abra o link do nosso e-mail em uma janela anônima.',
    },
    slow: {
      title: 'A conexão foi lenta demais',
      text: 'Nem tudo que o seu navegador enviou chegou. Nada mudou. Abra de novo o link do nosso e-mail.',
    },
    failure: {
      title: 'Não funcionou',
      text: 'Tivemos um problema. Abra de novo o link do nosso e-mail em alguns minutos.',
    },
    outage: {
      title: 'Isso não funciona no momento',
      text: 'Nada se perdeu. Abra de novo o link do nosso e-mail em alguns minutos.',
    },
    tooMany: (minutes) => ({
      title: 'Espere um momento',
      text: `Houve tentativas demais a partir da sua conexão de internet. Espere ${minutes <= 1 ? 'um minuto' : `${minutes} minutos`} e depois abra de novo o link do nosso e-mail.`,
    }),
    ofPage: {
      request:
        'O seu navegador enviou algo que esta página não espera. Nada mudou. Volte, ou comece de novo entrando na sua conta.',
      headers: 'Nada mudou. Apague os cookies deste site, ou abra o site em uma janela anônima.',
      slow: 'Nem tudo que o seu navegador enviou chegou. Nada mudou. Volte e tente de novo.',
      failure: 'Tivemos um problema. Tente de novo em alguns minutos.',
      outage: 'Nada se perdeu. Tente de novo em alguns minutos.',
      tooMany: (minutes) =>
        `Houve tentativas demais a partir da sua conexão de internet. Espere ${minutes <= 1 ? 'um minuto' : `${minutes} minutos`} e tente de novo.`,
    },
    signIn: 'Entrar',
    request_id: 'Código deste erro (se nos escrever, copie-o)',
  },
};
