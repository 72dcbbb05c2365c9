import { readEnvironment } from './environment.ts';
import { logError } from './http/log-error.ts';
import { startSandbox } from './start-sandbox.ts';

try {
  const { mail_url, smtp_url, uscis_url, twilio_url, receiver_url, traces_url, stop } = await startSandbox(
    readEnvironment(process.env),
  );
  let stopping = false;
  const onSignal = () => {
    if (stopping) return;
    stopping = true;
    stop().catch((err: unknown) => {
      logError(err);
      process.exitCode = 1;
    });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const ready = { msg: 'sandbox ready', mail_url, smtp_url, uscis_url, twilio_url, receiver_url, traces_url };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
} catch (err) {
  logError(err);
  process.exitCode = 1;
}
