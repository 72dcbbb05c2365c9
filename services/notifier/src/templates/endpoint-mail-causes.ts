import type { Language } from '@casewatch/contracts';

/** The error classes of webhooks.md, Delivery, except those of a status. */
type ErrorClass =
  | 'dns_error'
  | 'blocked_address'
  | 'connect_refused'
  | 'connect_timeout'
  | 'tls_error'
  | 'reset'
  | 'timeout'
  | 'redirect_not_followed'
  | 'response_malformed';

type Causes = Record<ErrorClass, string> & { http(status: string): string };

const causes: Record<Language, Causes> = {
  en: {
    dns_error: 'The host name could not be resolved.',
    blocked_address: 'The host has an address that is not public.',
    connect_refused: 'The server refused the connection.',
    connect_timeout: 'The server did not accept the connection in time.',
    tls_error: 'The TLS connection failed. Check the certificate.',
    reset: 'The server closed the connection before it answered.',
    timeout: 'The server did not answer in time.',
    redirect_not_followed: 'The server answered with a redirect. We do not follow redirects.',
    response_malformed: 'The answer was not valid HTTP.',
    http: (status) => `The server answered with status ${status}.`,
  },
  es: {
    dns_error: 'No se pudo resolver el nombre del servidor.',
    blocked_address: 'El servidor tiene una dirección que no es pública.',
    connect_refused: 'El servidor rechazó la conexión.',
    connect_timeout: 'El servidor no aceptó la conexión a tiempo.',
    tls_error: 'Falló la conexión TLS. Revise el certificado.',
    reset: 'El servidor cerró la conexión antes de responder.',
    timeout: 'El servidor no respondió a tiempo.',
    redirect_not_followed: 'El servidor respondió con una redirección. No seguimos redirecciones.',
    response_malformed: 'La respuesta no era HTTP válido.',
    http: (status) => `El servidor respondió con el estado ${status}.`,
  },
  pt: {
    dns_error: 'Não foi possível resolver o nome do servidor.',
    blocked_address: 'O servidor tem um endereço que não é público.',
    connect_refused: 'O servidor recusou a conexão.',
    connect_timeout: 'O servidor não aceitou a conexão a tempo.',
    tls_error: 'A conexão TLS falhou. Verifique o certificado.',
    reset: 'O servidor fechou a conexão antes de responder.',
    timeout: 'O servidor não respondeu a tempo.',
    redirect_not_followed: 'O servidor respondeu com um redirecionamento. Não seguimos redirecionamentos.',
    response_malformed: 'A resposta não era HTTP válido.',
    http: (status) => `O servidor respondeu com o status ${status}.`,
  },
};

/** A sentence that names the cause; null for a class that this release does not know. */
export function causeIn(error: string | null, language: Language): string | null {
  if (error === null) return null;
  const texts = causes[language];
  const status = /^http_(\d{3})$/.exec(error)?.[1];
  if (status !== undefined) return texts.http(status);
  return isErrorClass(error) ? texts[error] : null;
}

function isErrorClass(error: string): error is ErrorClass {
  return error !== 'http' && Object.hasOwn(causes.en, error);
}
