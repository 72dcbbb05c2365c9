import type { Language } from '@casewatch/contracts';

type Texts = {
  title: string;
  /** What this is, whose it is, and what it costs. */
  intro: string;
  /** Only where the operator gave the name. */
  runBy(operator: string): string;
  whose: string;
  cost: string;
  ended: string;
  gone: string;
  email: string;
  emailHint: string;
  send: string;
  docs: string;
  codeTitle: string;
  codeIntro(email: string): string;
  code: string;
  codeHint: string;
  enter: string;
  newHere: string;
  noMail: string;
  noMailText: string;
  again: string;
  otherAddress: string;
  againTitle: string;
  againText: string;
  againSend: string;
  chooseTitle: string;
  chooseIntro: string;
  direct: string;
  signedOutTitle: string;
  signedOutText: string;
  signInAgain: string;
};

/** Signing in and out; a language without one of them does not compile. */
export const signInTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Follow your USCIS case',
    intro:
      'Casewatch checks your case with USCIS and writes to you when something changes: what it means, and what to do by when.',
    runBy: (operator) => `Casewatch is run here by ${operator}.`,
    whose:
      'Casewatch is independent: it is no part of the government, and no law firm. If your law firm or your employer uses it, you see your case here, too.',
    cost: 'It costs you nothing, and you do not need a password.',
    ended: 'You were signed out, for your safety. Please sign in again.',
    gone: 'This account no longer exists. You can open a new one with your e-mail address.',
    email: 'Your e-mail address',
    emailHint: 'If you get messages about your case already, the address where you get them.',
    send: 'Continue',
    docs: 'For developers: the API',
    codeTitle: 'Check your e-mail',
    codeIntro: (email) =>
      `We are sending an e-mail to ${email}. If you have an account, it has a six-digit code, which works for 10 minutes. Enter it here.`,
    newHere:
      'If you are new here, it has a link instead. Open the link to open your account; you do not need this page for that.',
    code: 'Code',
    codeHint: 'Six digits. Never give the code to anyone.',
    enter: 'Sign in',
    noMail: 'No e-mail?',
    noMailText:
      'Look in your spam folder. Check that the address above is correct and, if you have an account, that it is the one of your account. Then ask for another e-mail.',
    again: 'Send another e-mail',
    otherAddress: 'Use another address',
    againTitle: 'Please sign in again',
    againText: 'For your safety, this step needs a new code. We send it to your e-mail address.',
    againSend: 'Send me a code',
    chooseTitle: 'Choose your account',
    chooseIntro: 'This e-mail address has several accounts.',
    direct: 'Your own account with Casewatch',
    signedOutTitle: 'You are signed out',
    signedOutText: 'This browser no longer shows your cases.',
    signInAgain: 'Sign in again',
  },
  es: {
    title: 'Siga su caso de USCIS',
    intro:
      'Casewatch consulta su caso en USCIS y le escribe cuando algo cambia: qué significa, qué hacer y hasta cuándo.',
    runBy: (operator) => `Aquí, el responsable de Casewatch es ${operator}.`,
    whose:
      'Casewatch es independiente: no es parte del gobierno ni una oficina de abogados. Si su abogado o su empleador lo usa, aquí también ve su caso.',
    cost: 'No le cuesta nada y no necesita contraseña.',
    ended: 'Por su seguridad, se cerró su sesión. Inicie sesión de nuevo.',
    gone: 'Esta cuenta ya no existe. Puede abrir una nueva con su correo electrónico.',
    email: 'Su correo electrónico',
    emailHint: 'Si ya recibe mensajes sobre su caso, el correo donde los recibe.',
    send: 'Continuar',
    docs: 'Para programadores: la API',
    codeTitle: 'Revise su correo',
    codeIntro: (email) =>
      `Le enviamos un correo a ${email}. Si tiene una cuenta, el correo trae un código de seis números, que sirve durante 10 minutos. Escríbalo aquí.`,
    newHere:
      'Si es su primera vez aquí, el correo trae un enlace. Ábralo para abrir su cuenta; para eso no necesita esta página.',
    code: 'Código',
    codeHint: 'Seis números. Nunca le dé este código a nadie.',
    enter: 'Iniciar sesión',
    noMail: '¿No llegó el correo?',
    noMailText:
      'Busque en la carpeta de correo no deseado. Revise que la dirección de arriba esté bien escrita y, si tiene una cuenta, que sea la de su cuenta. Después pida otro correo.',
    again: 'Enviar otro correo',
    otherAddress: 'Usar otra dirección',
    againTitle: 'Inicie sesión de nuevo',
    againText: 'Por su seguridad, este paso necesita un código nuevo. Lo enviamos a su correo electrónico.',
    againSend: 'Enviarme un código',
    chooseTitle: 'Elija su cuenta',
    chooseIntro: 'Este correo electrónico tiene varias cuentas.',
    direct: 'Su propia cuenta en Casewatch',
    signedOutTitle: 'Se cerró su sesión',
    signedOutText: 'Este navegador ya no muestra sus casos.',
    signInAgain: 'Iniciar sesión de nuevo',
  },
  pt: {
    title: 'Acompanhe o seu caso no USCIS',
    intro:
      'O Casewatch consulta o seu caso no USCIS e escreve para você quando algo muda: o que significa, o que fazer e até quando.',
    runBy: (operator) => `Aqui, o responsável pelo Casewatch é ${operator}.`,
    whose:
      'O Casewatch é independente: não é do governo nem um escritório de advocacia. Se o seu advogado ou a sua empresa o usa, você também vê o seu caso aqui.',
    cost: 'Não custa nada, e você não precisa de senha.',
    ended: 'Para a sua segurança, a sua sessão foi encerrada. Entre de novo.',
    gone: 'Esta conta não existe mais. Você pode abrir uma nova com o seu e-mail.',
    email: 'Seu e-mail',
    emailHint: 'Se você já recebe mensagens sobre o seu caso, o e-mail em que recebe.',
    send: 'Continuar',
    docs: 'Para desenvolvedores: a API',
    codeTitle: 'Veja o seu e-mail',
    codeIntro: (email) =>
      `Estamos enviando um e-mail para ${email}. Se você tem uma conta, ele traz um código de seis números, que vale por 10 minutos. Digite o código aqui.`,
    newHere:
      'Se é a sua primeira vez aqui, o e-mail traz um link. Abra o link para abrir a sua conta; para isso você não precisa desta página.',
    code: 'Código',
    codeHint: 'Seis números. Nunca passe o código para ninguém.',
    enter: 'Entrar',
    noMail: 'O e-mail não chegou?',
    noMailText:
      'Procure na pasta de spam. Confira se o endereço acima está certo e, se você tem uma conta, se é o da sua conta. Depois peça outro e-mail.',
    again: 'Enviar outro e-mail',
    otherAddress: 'Usar outro endereço',
    againTitle: 'Entre de novo',
    againText:
      'Para a sua segurança, este passo precisa de um novo código. Enviamos o código para o seu e-mail.',
    againSend: 'Enviar um código',
    chooseTitle: 'Escolha a sua conta',
    chooseIntro: 'Há mais de uma conta com este e-mail.',
    direct: 'A sua própria conta no Casewatch',
    signedOutTitle: 'Você saiu da sua conta',
    signedOutText: 'Este navegador não mostra mais os seus casos.',
    signInAgain: 'Entrar de novo',
  },
};
