import type { EndpointStage, Language } from '@casewatch/contracts';

type Texts = {
  subject: Record<EndpointStage, (host: string) => string>;
  endpoint(id: number, host: string): string;
  since(when: string): string;
  gone(when: string): string;
  lastError: string;
  next: Record<EndpointStage, (when: string) => string>;
  toDo: string;
  repairSteps(path: string): string[];
  enableSteps(path: string, since: string): string[];
  reference: string;
  why: string;
};

const disabledSoon = {
  en: (when: string) =>
    `We keep trying. If no delivery succeeds before ${when}, we disable the endpoint. Events are then kept for 30 days and not sent.`,
  es: (when: string) =>
    `Seguimos intentándolo. Si ninguna entrega tiene éxito antes del ${when}, desactivaremos el endpoint. Después, los eventos se guardarán durante 30 días y no se enviarán.`,
  pt: (when: string) =>
    `Continuamos tentando. Se nenhuma entrega tiver sucesso antes de ${when}, desativaremos o endpoint. Depois disso, os eventos ficarão guardados por 30 dias e não serão enviados.`,
};

/** Everything that a mail about a failing endpoint says; a language without one of them does not compile. */
export const endpointMailTexts: Record<Language, Texts> = {
  en: {
    subject: {
      half: (host) => `Your webhook endpoint at ${host} is failing`,
      nine_tenths: (host) => `Your webhook endpoint at ${host} will be disabled soon`,
      disabled: (host) => `Your webhook endpoint at ${host} is disabled`,
    },
    endpoint: (id, host) => `Endpoint ${id} at ${host}`,
    since: (when) => `Every delivery to this endpoint has failed since ${when}.`,
    gone: (when) => `On ${when} the server answered with status 410: it wants no more deliveries.`,
    lastError: 'Last error',
    next: {
      half: disabledSoon.en,
      nine_tenths: disabledSoon.en,
      disabled: (when) =>
        `We disabled the endpoint on ${when}. Its events are kept for 30 days and not sent until you enable it again.`,
    },
    toDo: 'What to do',
    repairSteps: (path) => [
      `Look at the latest attempts: GET ${path}/deliveries`,
      'Fix your server. The first delivery that succeeds ends the failure; failed deliveries can be sent again.',
    ],
    enableSteps: (path, since) => [
      `Look at the latest attempts: GET ${path}/deliveries. Fix your server.`,
      `Enable the endpoint: PUT ${path} with {"active": true}`,
      `Have the events that were not delivered sent: POST ${path}/replay with {"since": "${since}", "status": "all"}`,
    ],
    reference: 'API reference',
    why: 'You are getting this e-mail because this is the contact address of your Casewatch account.',
  },
  es: {
    subject: {
      half: (host) => `Su endpoint de webhooks en ${host} está fallando`,
      nine_tenths: (host) => `Su endpoint de webhooks en ${host} se desactivará pronto`,
      disabled: (host) => `Su endpoint de webhooks en ${host} está desactivado`,
    },
    endpoint: (id, host) => `Endpoint ${id} en ${host}`,
    since: (when) => `Todas las entregas a este endpoint han fallado desde el ${when}.`,
    gone: (when) => `El ${when} el servidor respondió con el estado 410: no quiere más entregas.`,
    lastError: 'Último error',
    next: {
      half: disabledSoon.es,
      nine_tenths: disabledSoon.es,
      disabled: (when) =>
        `Desactivamos el endpoint el ${when}. Sus eventos se guardan durante 30 días y no se envían hasta que usted lo active de nuevo.`,
    },
    toDo: 'Qué hacer',
    repairSteps: (path) => [
      `Vea los últimos intentos: GET ${path}/deliveries`,
      'Repare su servidor. La primera entrega con éxito pone fin al fallo; las entregas fallidas se pueden enviar de nuevo.',
    ],
    enableSteps: (path, since) => [
      `Vea los últimos intentos: GET ${path}/deliveries. Repare su servidor.`,
      `Active el endpoint: PUT ${path} con {"active": true}`,
      `Pida el envío de los eventos que no se entregaron: POST ${path}/replay con {"since": "${since}", "status": "all"}`,
    ],
    reference: 'Referencia de la API',
    why: 'Recibe este correo porque esta es la dirección de contacto de su cuenta de Casewatch.',
  },
  pt: {
    subject: {
      half: (host) => `O seu endpoint de webhooks em ${host} está falhando`,
      nine_tenths: (host) => `O seu endpoint de webhooks em ${host} será desativado em breve`,
      disabled: (host) => `O seu endpoint de webhooks em ${host} está desativado`,
    },
    endpoint: (id, host) => `Endpoint ${id} em ${host}`,
    since: (when) => `Todas as entregas a este endpoint vêm falhando desde ${when}.`,
    gone: (when) => `Em ${when} o servidor respondeu com o status 410: ele não quer mais entregas.`,
    lastError: 'Último erro',
    next: {
      half: disabledSoon.pt,
      nine_tenths: disabledSoon.pt,
      disabled: (when) =>
        `Desativamos o endpoint em ${when}. Os eventos dele são guardados por 30 dias e não são enviados até que você o ative de novo.`,
    },
    toDo: 'O que fazer',
    repairSteps: (path) => [
      `Veja as últimas tentativas: GET ${path}/deliveries`,
      'Conserte o seu servidor. A primeira entrega com sucesso encerra a falha; as entregas que falharam podem ser enviadas de novo.',
    ],
    enableSteps: (path, since) => [
      `Veja as últimas tentativas: GET ${path}/deliveries. Conserte o seu servidor.`,
      `Ative o endpoint: PUT ${path} com {"active": true}`,
      `Peça o envio dos eventos que não foram entregues: POST ${path}/replay com {"since": "${since}", "status": "all"}`,
    ],
    reference: 'Referência da API',
    why: 'Você recebe este e-mail porque este é o endereço de contato da sua conta Casewatch.',
  },
};
