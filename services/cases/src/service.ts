import {
  createBase,
  principalVerifier,
  type RunningService,
  serverTls,
  startHttp,
} from '@casewatch/platform';
import type { CasesConfig } from './config.ts';
import { createContext } from './context.ts';
import { onStatusChecked } from './events/on-status-checked.ts';
import { subscriptions } from './events/subscriptions.ts';
import { routes } from './http/routes.ts';
import { answerCase } from './requests/case.ts';
import { answerCount } from './requests/count.ts';

/** Starts the cases service: collections, answers over the bus, HTTP, then events. */
export async function startCases(config: CasesConfig): Promise<RunningService> {
  const base = await createBase('cases', config);
  try {
    const ctx = await createContext(base, config);
    base.bus.serve('cases.case', answerCase(ctx));
    base.bus.serve('cases.count', answerCount(ctx));
    base.bus.subscribe('status.checked', onStatusChecked(ctx));
    const http = await startHttp({
      service: 'cases',
      log: base.log,
      host: config.HOST,
      port: config.PORT,
      tls: serverTls(config),
      ready: () => base.ready(),
      api: {
        handlers: routes(ctx),
        verifier: principalVerifier(config.PRINCIPAL_JWKS, 'cases'),
        idempotency: ctx.idempotency,
      },
      checkAnswers: config.NODE_ENV !== 'production',
    });
    base.begin(subscriptions(ctx));
    base.onStop(() => http.stop(10_000));
    return { port: http.port, stop: () => base.stop() };
  } catch (error) {
    await base.stop();
    throw error;
  }
}
