/**
 * Options of the JetStream client of a service. JetStream lives in another account than the services, which import its API under
 * this prefix: under `$JS.API` the server would answer twice, first that their account has no JetStream (ADR 0031).
 */
export const importedApi = { apiPrefix: 'STREAMS.API' } as const;
