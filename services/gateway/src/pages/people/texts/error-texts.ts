import type { ErrorCode, Language } from '@casewatch/contracts';

type Texts = {
  /** What is not here is said by `faultTexts`, by its status. */
  codes: Readonly<Partial<Record<ErrorCode, string>>> & { readonly route_not_found: string };
  tooMany(minutes: number): string;
  notFoundTitle: string;
  back: string;
  /** For the top of a form whose fields have their own sentences. */
  fields: string;
  faults: Readonly<Record<Fault, string>>;
};

type Fault =
  | 'email'
  | 'name'
  | 'code'
  | 'phone'
  | 'receipt_number'
  | 'letter_o'
  | 'masked'
  | 'description'
  | 'uscis_access_acknowledged'
  | 'notify_by_whatsapp'
  | 'confirm'
  | 'other';

/** Refusals in the words of people. What all our pages say of a failure stands in `faultTexts`. */
export const errorTexts: Readonly<Record<Language, Texts>> = {
  en: {
    codes: {
      invalid_login_code:
        'This code is not correct, or it has expired. Check the newest e-mail, or ask for a new code.',
      too_many_login_attempts: 'There were too many attempts with this code. Ask for a new code.',
      account_suspended:
        'This account is locked. If an office opened it for you, ask that office; its name is in our e-mails.',
      reauthentication_required: 'For your safety, please sign in again.',
      case_already_monitored: 'You already have this case here. See “My cases”.',
      case_limit_reached: 'You have reached the maximum number of cases. Pause or remove a case first.',
      receipt_number_rejected:
        'The USCIS website does not recognize this receipt number. It may be a typing error; it is not a decision on the case. Compare the number with your USCIS notice.',
      user_not_active: 'Your account is turned off. Turn it on first.',
      uscis_unavailable:
        'USCIS is not responding right now. Nothing was lost. Please try again in a few minutes.',
      case_not_found: 'This case is not in your account.',
      route_not_found: 'This page does not exist.',
      cross_site_request: 'This form came from another page. Open our page and try again.',
      service_unavailable:
        'This is not working right now. Nothing was lost. Please try again in a few minutes.',
      internal_error: 'Something went wrong on our side. Please try again in a few minutes.',
    },
    tooMany: (minutes) =>
      minutes <= 1 ? 'Please wait a minute and try again.' : `Please wait ${minutes} minutes and try again.`,
    notFoundTitle: 'Not found',
    back: 'Back to my cases',
    fields: 'Please check the marked fields.',
    faults: {
      name: 'Enter a name with at most 120 characters.',
      email: 'This is not a complete e-mail address. Example: maria@example.com',
      code: 'The code has six digits.',
      phone: 'Enter the number with + and the country code. Example: +12025550123',
      receipt_number: 'A receipt number has three letters and ten digits. Example: IOE0123456789',
      letter_o: 'Enter the digit 0, not the letter O, among the ten digits. Example: IOE0123456789',
      masked: 'Enter all ten digits, without any *. The whole number is on your receipt notice (Form I-797).',
      description: 'This name is too long. It can have at most 255 characters.',
      uscis_access_acknowledged: 'Please check this box. Without it we may not check your case with USCIS.',
      notify_by_whatsapp: 'WhatsApp needs a phone number.',
      confirm: 'Please check this box if you want to delete your account.',
      other: 'Please correct this.',
    },
  },
  es: {
    codes: {
      invalid_login_code:
        'Este código no es correcto o ya venció. Mire el correo más reciente o pida un código nuevo.',
      too_many_login_attempts: 'Hubo demasiados intentos con este código. Pida un código nuevo.',
      account_suspended:
        'Esta cuenta está bloqueada. Si una oficina la abrió para usted, pregunte a esa oficina; su nombre está en nuestros correos.',
      reauthentication_required: 'Por su seguridad, inicie sesión de nuevo.',
      case_already_monitored: 'Usted ya tiene este caso aquí. Véalo en “Mis casos”.',
      case_limit_reached: 'Llegó al número máximo de casos. Primero pause un caso o quítelo de su lista.',
      receipt_number_rejected:
        'El sitio web de USCIS no reconoce este número de recibo. Puede ser un error al escribirlo; no es una decisión sobre el caso. Compare el número con su aviso de USCIS.',
      user_not_active: 'Su cuenta está desactivada. Actívela primero.',
      uscis_unavailable:
        'USCIS no responde en este momento. No se perdió nada. Inténtelo de nuevo en unos minutos.',
      case_not_found: 'Este caso no está en su cuenta.',
      route_not_found: 'Esta página no existe.',
      cross_site_request: 'Este formulario vino de otra página. Abra nuestra página e inténtelo de nuevo.',
      service_unavailable:
        'Esto no funciona en este momento. No se perdió nada. Inténtelo de nuevo en unos minutos.',
      internal_error: 'Algo falló de nuestro lado. Inténtelo de nuevo en unos minutos.',
    },
    tooMany: (minutes) =>
      minutes <= 1
        ? 'Espere un minuto e inténtelo de nuevo.'
        : `Espere ${minutes} minutos e inténtelo de nuevo.`,
    notFoundTitle: 'No se encontró',
    back: 'Volver a mis casos',
    fields: 'Revise los datos marcados.',
    faults: {
      name: 'Escriba un nombre de 120 letras como máximo.',
      email: 'No es una dirección de correo completa. Ejemplo: maria@example.com',
      code: 'El código tiene seis números.',
      phone: 'Escriba el número con + y el código del país. Ejemplo: +12025550123',
      receipt_number: 'Un número de recibo tiene tres letras y diez números. Ejemplo: IOE0123456789',
      letter_o: 'Entre los diez números, escriba un cero (0), no la letra O. Ejemplo: IOE0123456789',
      masked:
        'Escriba los diez números, sin *. El número completo está en su aviso de recibo (Formulario I-797).',
      description: 'Este nombre es demasiado largo. Puede tener 255 letras como máximo.',
      uscis_access_acknowledged: 'Marque esta casilla. Sin ella no podemos consultar su caso en USCIS.',
      notify_by_whatsapp: 'WhatsApp necesita un número de teléfono.',
      confirm: 'Marque esta casilla si quiere eliminar su cuenta.',
      other: 'Corrija este dato.',
    },
  },
  pt: {
    codes: {
      invalid_login_code:
        'Este código não está certo ou já expirou. Veja o e-mail mais recente ou peça um novo código.',
      too_many_login_attempts: 'Houve tentativas demais com este código. Peça um novo código.',
      account_suspended:
        'Esta conta está bloqueada. Se um escritório a abriu para você, pergunte a esse escritório; o nome dele está nos nossos e-mails.',
      reauthentication_required: 'Para a sua segurança, entre de novo.',
      case_already_monitored: 'Você já tem este caso aqui. Veja em “Meus casos”.',
      case_limit_reached: 'Você chegou ao número máximo de casos. Primeiro pause um caso ou tire-o da lista.',
      receipt_number_rejected:
        'O site do USCIS não reconhece este número de recibo. Pode ser um erro ao digitar; não é uma decisão sobre o caso. Compare o número com o seu aviso (carta) do USCIS.',
      user_not_active: 'A sua conta está desativada. Ative-a primeiro.',
      uscis_unavailable: 'O USCIS não responde no momento. Nada se perdeu. Tente de novo em alguns minutos.',
      case_not_found: 'Este caso não está na sua conta.',
      route_not_found: 'Esta página não existe.',
      cross_site_request: 'Este formulário veio de outra página. Abra a nossa página e tente de novo.',
      service_unavailable: 'Isso não funciona no momento. Nada se perdeu. Tente de novo em alguns minutos.',
      internal_error: 'Tivemos um problema. Tente de novo em alguns minutos.',
    },
    tooMany: (minutes) =>
      minutes <= 1 ? 'Espere um minuto e tente de novo.' : `Espere ${minutes} minutos e tente de novo.`,
    notFoundTitle: 'Não encontrado',
    back: 'Voltar aos meus casos',
    fields: 'Confira os campos marcados.',
    faults: {
      name: 'Digite um nome com no máximo 120 letras.',
      email: 'Este endereço de e-mail não está completo. Exemplo: maria@example.com',
      code: 'O código tem seis números.',
      phone: 'Digite o número com + e o código do país. Exemplo: +12025550123',
      receipt_number: 'Um número de recibo tem três letras e dez números. Exemplo: IOE0123456789',
      letter_o: 'Entre os dez números, digite um zero (0), não a letra O. Exemplo: IOE0123456789',
      masked:
        'Digite os dez números, sem *. O número completo está no seu aviso de recebimento (receipt notice, Formulário I-797).',
      description: 'Este nome é longo demais. Ele pode ter no máximo 255 letras.',
      uscis_access_acknowledged: 'Marque esta caixa. Sem ela não podemos consultar o seu caso no USCIS.',
      notify_by_whatsapp: 'O WhatsApp precisa de um número de telefone.',
      confirm: 'Marque esta caixa se você quer excluir a sua conta.',
      other: 'Confira este campo.',
    },
  },
};
