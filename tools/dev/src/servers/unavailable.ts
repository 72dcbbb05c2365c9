import { PINS, type ServerName } from './pins.ts';

/** One way that was tried to come by a server, and why it did not work. */
export interface Attempt {
  way: string;
  outcome: string;
}

/** No server could be found or fetched. The message is meant for the terminal as it is; no stack trace is needed. */
export class ServerUnavailable extends Error {
  readonly exitCode = 3;

  constructor(name: ServerName, attempts: Attempt[]) {
    const { title, urlVariable, binaryVariable, minimum } = PINS[name];
    const width = Math.max(...attempts.map(({ way }) => way.length));
    const example = name === 'mongod' ? 'mongodb://host:27017/?replicaSet=rs0' : 'nats://host:4222';
    super(
      [
        `No ${title} server could be found or downloaded.`,
        ...attempts.map(({ way, outcome }) => `  tried  ${way.padEnd(width)}  ${outcome}`),
        'Do one of:',
        `  install ${name} ${minimum} or newer, so that it is on PATH, or say where it is: ${binaryVariable}=/path/to/${name} npm start`,
        `  use one that runs already: ${urlVariable}=${example} npm start`,
        '  make the download work: pip through a mirror (PIP_INDEX_URL) or a proxy (HTTPS_PROXY)',
      ].join('\n'),
    );
    this.name = 'ServerUnavailable';
  }
}
