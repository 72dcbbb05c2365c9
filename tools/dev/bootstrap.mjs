/**
 * What the npm scripts need before anything is installed: runs on Node 20 with built-in modules only. Installs what
 * is missing, finds Node 24, and hands over to it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const root = join(import.meta.dirname, '../..');
const MODULES = join(root, 'node_modules');
const STAMP = join(MODULES, '.casewatch-stamp');
const LOCK = join(root, '.cache/install.lock');
/** Node keeps compiled modules here: the second start of a program needs half of the CPU. */
const COMPILE_CACHE = join(root, '.cache/compile');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const HEARTBEAT_MS = 10_000;
const PARENT_POLL_MS = 250;
const WANTED_MAJOR = 24;

/** Progress goes to stderr: what the called program prints on stdout may be meant for another program. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs `npm ci` unless node_modules is what package-lock.json says; of two at once the second one waits. */
export async function ensureInstalled() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (installed() === wanted) return;
  await takeLock();
  try {
    if (installed() === wanted) return;
    await npmCi();
    writeFileSync(STAMP, wanted);
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

function installed() {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : undefined;
}

/** A folder is made by one process only. Its owner touches it while it works; one left by a dead owner grows old. */
async function takeLock() {
  mkdirSync(join(root, '.cache'), { recursive: true });
  for (let waited = false; ; waited = true) {
    try {
      mkdirSync(LOCK);
      writeFileSync(join(LOCK, 'pid'), String(process.pid));
      return;
    } catch (err) {
      if (err.code !== 'EEXIST') throw err;
    }
    if (!waited) say('Another start is installing dependencies; waiting for it …');
    if (ownerIsDead()) rmSync(LOCK, { recursive: true, force: true });
    await delay(500);
  }
}

function ownerIsDead() {
  try {
    const pid = Number(readFileSync(join(LOCK, 'pid'), 'utf8'));
    return pid > 0 ? !process.kill(pid, 0) : false;
  } catch (err) {
    if (err.code === 'ESRCH') return true;
    // Made a moment ago and not yet signed by its owner.
    return err.code === 'ENOENT' && existsSync(LOCK) && Date.now() - statSync(LOCK).mtimeMs > 5_000;
  }
}

async function npmCi() {
  const started = Date.now();
  say('Installing dependencies (npm ci), once; this takes one to five minutes …');
  const heartbeat = setInterval(() => {
    say(`… still installing (${Math.round((Date.now() - started) / 1000)} s)`);
  }, HEARTBEAT_MS);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  // npm's own output belongs on stderr too: `npm run admin -- … --json` is read by programs.
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const child = npm?.endsWith('.js')
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  const { code, signal } = await ended(child);
  clearInterval(heartbeat);
  if (code !== 0) {
    fail(`npm ci failed (${signal ?? `exit code ${code}`}); its own lines above say why. Then try again.`);
  }
  say(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Path of a Node 24: the package pinned in package.json where there is one for this machine, else the running one. */
export function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const pinned = join(MODULES, `node-${system}-${process.arch}`, program);
  if (existsSync(pinned) && spawnSync(pinned, ['--version']).status === 0) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= WANTED_MAJOR) return process.execPath;
  return fail(
    `Node ${WANTED_MAJOR} is needed: this is ${process.version}, and there is no package with Node ${WANTED_MAJOR} for ` +
      `${process.platform} ${process.arch}. Install it (nvm install ${WANTED_MAJOR}, brew install node@${WANTED_MAJOR}, or https://nodejs.org) and try again.`,
  );
}

/** Runs Node 24 in the foreground; signals are passed on. Resolves with how it ended. */
export function runNode(args, { env = process.env } = {}) {
  // Over the IPC channel the program notices when this process is gone, however it died.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const withCache = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env };
  return ended(spawn(findNode(), args, { cwd: root, env: withCache, stdio }));
}

/** Ends this process the way its child ended. */
export function exitLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(code ?? 1);
}

function ended(child) {
  const forward = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, forward);
  // npm runs us in a shell, and some shells end by a signal without passing it on: then our parents change.
  const parents = npmAbove();
  const watch = setInterval(() => {
    if (npmAbove() !== parents) forward('SIGTERM');
  }, PARENT_POLL_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      for (const name of SIGNALS) process.off(name, forward);
      resolve({ code, signal });
    });
  });
}

/**
 * npm, and the shell between npm and us where there is one, as far as they can be seen; always the same outside npm. Who started
 * npm is not looked at: `nohup npm start &` outlives its shell.
 */
function npmAbove() {
  if (process.env.npm_lifecycle_event === undefined) return '';
  const { ppid } = process;
  try {
    // npm calls its process "npm start" (Linux only).
    if (readFileSync(`/proc/${ppid}/comm`, 'utf8').startsWith('npm ')) return String(ppid);
    // "<pid> (<name>) <state> <parent's pid> …"
    const stat = readFileSync(`/proc/${ppid}/stat`, 'utf8');
    return `${ppid} ${/\) \S (\d+)/.exec(stat)?.[1]}`;
  } catch {
    return String(ppid);
  }
}

function fail(message) {
  say(message);
  process.exit(1);
}
