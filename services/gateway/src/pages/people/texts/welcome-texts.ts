import type { Language } from '@casewatch/contracts';

type Texts = {
  title: string;
  intro(email: string): string;
  effect: string;
  open: string;
  notYou: string;
  usedTitle: string;
  usedText: string;
  takenTitle: string;
  takenText(email: string): string;
  startTitle: string;
  startText: string;
  name: string;
  nameHint: string;
  language: string;
  firstCase: string;
  watch: string;
  later: string;
};

/** Opening an account, and its first page; a language without one of them does not compile. */
export const welcomeTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Open your account',
    intro: (email) => `Press the button to open an account for ${email}.`,
    effect: 'You are then signed in on this device. The next page asks for your name and your first case.',
    open: 'Open my account',
    notYou: 'If this is not your address, close this page. Nothing happens then.',
    usedTitle: 'This link no longer works',
    usedText:
      'It works once, for 24 hours. If you have opened your account already, sign in with your address. If not, enter it again, and we send you a new link.',
    takenTitle: 'You already have an account',
    takenText: (email) =>
      `There is an account for ${email} by now. Sign in with a code that we send to this address.`,
    startTitle: 'Welcome',
    startText: 'Your account is open. Tell us what to call you, and which case to watch.',
    name: 'Your name',
    nameHint: 'We use it to greet you. USCIS does not get it.',
    language: 'Language of pages and messages',
    firstCase: 'Your first case',
    watch: 'Watch my case',
    later: 'Add a case later',
  },
  es: {
    title: 'Abra su cuenta',
    intro: (email) => `Toque el botón para abrir una cuenta para ${email}.`,
    effect:
      'Después tendrá la sesión iniciada en este teléfono o computadora. La página siguiente le pregunta su nombre y su primer caso.',
    open: 'Abrir mi cuenta',
    notYou: 'Si esta no es su dirección, cierre esta página. Así no pasa nada.',
    usedTitle: 'Este enlace ya no funciona',
    usedText:
      'Sirve una sola vez, durante 24 horas. Si ya abrió su cuenta, inicie sesión con su dirección. Si no, escríbala otra vez y le enviaremos un enlace nuevo.',
    takenTitle: 'Usted ya tiene una cuenta',
    takenText: (email) =>
      `Ya hay una cuenta para ${email}. Inicie sesión con un código que enviamos a esta dirección.`,
    startTitle: 'Le damos la bienvenida',
    startText: 'Su cuenta está abierta. Díganos cómo se llama y qué caso quiere seguir.',
    name: 'Su nombre',
    nameHint: 'Lo usamos para saludarle. USCIS no lo recibe.',
    language: 'Idioma de las páginas y los mensajes',
    firstCase: 'Su primer caso',
    watch: 'Seguir mi caso',
    later: 'Agregar un caso después',
  },
  pt: {
    title: 'Abra a sua conta',
    intro: (email) => `Toque no botão para abrir uma conta para ${email}.`,
    effect:
      'Depois disso, você entra na conta neste celular ou computador. A próxima página pergunta o seu nome e o seu primeiro caso.',
    open: 'Abrir a minha conta',
    notYou: 'Se este não é o seu e-mail, feche esta página. Assim, nada acontece.',
    usedTitle: 'Este link não funciona mais',
    usedText:
      'Ele vale uma só vez, por 24 horas. Se você já abriu a sua conta, entre com o seu e-mail. Se não, digite o e-mail outra vez, e enviamos um novo link.',
    takenTitle: 'Você já tem uma conta',
    takenText: (email) =>
      `Já existe uma conta para ${email}. Entre com um código que enviamos para este endereço.`,
    startTitle: 'Boas-vindas',
    startText: 'A sua conta está aberta. Diga como você se chama e qual caso quer acompanhar.',
    name: 'Seu nome',
    nameHint: 'Usamos o nome para cumprimentar você. O USCIS não o recebe.',
    language: 'Idioma das páginas e das mensagens',
    firstCase: 'Seu primeiro caso',
    watch: 'Acompanhar o meu caso',
    later: 'Adicionar um caso depois',
  },
};
