import { readEnvironment } from './environment.ts';
import { complain } from './http/complain.ts';
import { startSandbox } from './start-sandbox.ts';

try {
  const { mail_url, smtp_url, uscis_url, twilio_url, receiver_url, stop } = await startSandbox(
    readEnvironment(process.env),
  );
  let stopping = false;
  const onSignal = () => {
    if (stopping) return;
    stopping = true;
    stop().catch((err: unknown) => {
      complain(err);
      process.exitCode = 1;
    });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const ready = { msg: 'sandbox ready', mail_url, smtp_url, uscis_url, twilio_url, receiver_url };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
} catch (err) {
  complain(err);
  process.exitCode = 1;
}
