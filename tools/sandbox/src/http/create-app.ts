import express, { type ErrorRequestHandler, type Express } from 'express';
import { ControlError } from './control-error.ts';
import { logError } from './log-error.ts';

/** The HTTP app of a stand-in: `GET /livez`, the routes that `mount` adds, then 404 and errors as JSON `{error}`. */
export function createApp(mount: (app: Express) => void): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  mount(app);
  app.use((req, res) => {
    res.status(404).json({ error: `There is no ${req.method} ${req.path} here.` });
  });
  app.use(answerError);
  return app;
}

/** Reads JSON of any content type, so that a bare `curl -d` works; at most 1 MiB. */
export const readJson = express.json({ limit: '1mb', strict: false, type: () => true });

const answerError: ErrorRequestHandler = (err: unknown, _req, res, _next) => {
  const refusal = asRefusal(err);
  if (refusal === null) logError(err);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, message } = refusal ?? new ControlError(500, 'The stand-in itself failed; see its log.');
  res.status(status).json({ error: message });
};

/** A ControlError, or express's 4xx for a body or path; null for a fault of the stand-in. */
function asRefusal(err: unknown): ControlError | null {
  if (err instanceof ControlError) return err;
  if (!(err instanceof Error) || !('status' in err) || typeof err.status !== 'number') return null;
  if (err.status === 413) return new ControlError(413, 'The body is larger than 1 MiB.');
  if (err instanceof SyntaxError) return new ControlError(400, 'The body is not valid JSON.');
  return err.status < 500 ? new ControlError(err.status, 'The request could not be read.') : null;
}
