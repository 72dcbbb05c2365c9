import { PINS, type ServerName } from './pins.ts';

export interface Attempt {
  way: string;
  outcome: string;
}

/** The message is complete: it is printed without a stack trace. */
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
