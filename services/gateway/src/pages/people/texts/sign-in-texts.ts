import type { Language } from '@casewatch/contracts';

type Texts = {
  title: string;
  intro: string;
  ended: string;
  email: string;
  emailHint: string;
  send: string;
  docs: string;
  codeTitle: string;
  codeIntro(email: string): string;
  code: string;
  codeHint: string;
  enter: string;
  noMail: string;
  noMailText: string;
  again: string;
  otherAddress: string;
  againTitle: string;
  againText: string;
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
    title: 'See your case',
    intro:
      'Enter your e-mail address. We will send you a code, and you sign in with it. You do not need a password.',
    ended: 'You were signed out, for your safety. Please sign in again.',
    email: 'Your e-mail address',
    emailHint: 'The address where you get messages about your case.',
    send: 'Send me a code',
    docs: 'For developers: the API',
    codeTitle: 'Check your e-mail',
    codeIntro: (email) =>
      `If ${email} has an account, you will get an e-mail with a six-digit code within a minute. The code works for 10 minutes.`,
    code: 'Code',
    codeHint: 'Six digits. Never give the code to anyone.',
    enter: 'Sign in',
    noMail: 'No e-mail?',
    noMailText:
      'Look in your spam folder. Check that the address above is correct and is the one that you use for your account. Then ask for a new code.',
    again: 'Send a new code',
    otherAddress: 'Use another address',
    againTitle: 'Please sign in again',
    againText: 'For your safety, this step needs a new code. We send it to your e-mail address.',
    chooseTitle: 'Choose your account',
    chooseIntro: 'This e-mail address has several accounts.',
    direct: 'Your own account with Casewatch',
    signedOutTitle: 'You are signed out',
    signedOutText: 'This browser no longer shows your cases.',
    signInAgain: 'Sign in again',
  },
  es: {
    title: 'Vea su caso',
    intro:
      'Escriba su correo electrónico. Le enviamos un código y con él inicia sesión. No necesita contraseña.',
    ended: 'Por su seguridad, se cerró su sesión. Inicie sesión de nuevo.',
    email: 'Su correo electrónico',
    emailHint: 'El correo donde recibe los mensajes sobre su caso.',
    send: 'Enviarme un código',
    docs: 'Para programadores: la API',
    codeTitle: 'Revise su correo',
    codeIntro: (email) =>
      `Si ${email} tiene una cuenta, recibirá en menos de un minuto un correo con un código de seis números. El código sirve durante 10 minutos.`,
    code: 'Código',
    codeHint: 'Seis números. Nunca le dé este código a nadie.',
    enter: 'Iniciar sesión',
    noMail: '¿No llegó el correo?',
    noMailText:
      'Busque en la carpeta de correo no deseado. Revise que la dirección de arriba esté bien escrita y sea la de su cuenta. Después pida un código nuevo.',
    again: 'Enviar un código nuevo',
    otherAddress: 'Usar otra dirección',
    againTitle: 'Inicie sesión de nuevo',
    againText: 'Por su seguridad, este paso necesita un código nuevo. Lo enviamos a su correo electrónico.',
    chooseTitle: 'Elija su cuenta',
    chooseIntro: 'Este correo electrónico tiene varias cuentas.',
    direct: 'Su propia cuenta en Casewatch',
    signedOutTitle: 'Se cerró su sesión',
    signedOutText: 'Este navegador ya no muestra sus casos.',
    signInAgain: 'Iniciar sesión de nuevo',
  },
  pt: {
    title: 'Veja o seu caso',
    intro: 'Digite o seu e-mail. Enviamos um código, e com ele você entra. Você não precisa de senha.',
    ended: 'Para a sua segurança, a sua sessão foi encerrada. Entre de novo.',
    email: 'Seu e-mail',
    emailHint: 'O endereço em que você recebe as mensagens sobre o seu caso.',
    send: 'Enviar um código',
    docs: 'Para desenvolvedores: a API',
    codeTitle: 'Veja o seu e-mail',
    codeIntro: (email) =>
      `Se ${email} tiver uma conta, você vai receber em até um minuto um e-mail com um código de seis números. O código vale por 10 minutos.`,
    code: 'Código',
    codeHint: 'Seis números. Nunca passe o código para ninguém.',
    enter: 'Entrar',
    noMail: 'O e-mail não chegou?',
    noMailText:
      'Procure na pasta de spam. Confira se o endereço acima está certo e é o da sua conta. Depois peça um novo código.',
    again: 'Enviar um novo código',
    otherAddress: 'Usar outro endereço',
    againTitle: 'Entre de novo',
    againText:
      'Para a sua segurança, este passo precisa de um novo código. Enviamos o código para o seu e-mail.',
    chooseTitle: 'Escolha a sua conta',
    chooseIntro: 'Há mais de uma conta com este e-mail.',
    direct: 'A sua própria conta no Casewatch',
    signedOutTitle: 'Você saiu da sua conta',
    signedOutText: 'Este navegador não mostra mais os seus casos.',
    signInAgain: 'Entrar de novo',
  },
};
