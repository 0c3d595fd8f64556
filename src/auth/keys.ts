/**
 * Keys of tokens: `COPPICE_KEY`, or a file in the data folder that the first process creates. Each line is a key in base64url,
 * newest first; a retired key is followed by the time of its retirement.
 */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { tokenLifetimeMs } from '#core/ports/credentials.ts';

/** Newest first. Refuses malformed keys with a sentence. `env`: value of COPPICE_KEY, one or more keys separated by commas. */
export async function loadKeys({
  env,
  file,
}: {
  env: string | undefined;
  file: string;
}): Promise<Uint8Array[]> {
  if (env !== undefined && env.trim() !== '') {
    return env.split(',').map((key) => readKey(key, 'COPPICE_KEY'));
  }
  const existing = await readLines(file);
  if (existing) return existing.map(({ key }) => readKey(key, file));
  await writeFirst(file, `${newKey()}\n`);
  return loadKeys({ env, file });
}

/**
 * Adds a new key at the top. Retired keys older than the lifetime of a token are dropped. Returns the number of keys kept.
 * Running servers use the new key only after a restart; until then they cannot read tokens sealed with it.
 */
export async function rotateKeyFile(file: string, now: number): Promise<number> {
  const lines = (await readLines(file)) ?? [];
  const kept = lines
    .map(({ key, retiredAt }) => ({ key, retiredAt: retiredAt ?? now }))
    .filter(({ retiredAt }) => now - retiredAt <= tokenLifetimeMs);
  const text = [newKey(), ...kept.map(({ key, retiredAt }) => `${key} ${retiredAt}`)].join('\n');
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeDurably(temporary, `${text}\n`);
  await rename(temporary, file);
  await syncFolder(dirname(file));
  return kept.length + 1;
}

async function readLines(
  file: string,
): Promise<{ key: string; retiredAt: number | undefined }[] | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0)
    throw new Error(`${file}: expected a key of 32 bytes in base64url, the file is empty.`);
  return lines.map((line) => {
    const [key = '', retired] = line.trim().split(/\s+/);
    if (retired !== undefined && !/^\d+$/.test(retired)) {
      throw new Error(`${file}: expected the time a key was retired in milliseconds, got "${retired}".`);
    }
    readKey(key, file);
    return { key, retiredAt: retired === undefined ? undefined : Number(retired) };
  });
}

/** Several processes may start at once: the complete file gets its name atomically, and the first one wins. */
async function writeFirst(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeDurably(temporary, text);
  try {
    await link(temporary, file);
    await syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary);
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Losing a key by a power failure would end every session. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

function readKey(text: string, where: string): Uint8Array {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(trimmed, 'base64url');
  if (bytes.length !== 32 || !/^[\w+/-]+=?$/.test(trimmed)) {
    throw new Error(
      `${where}: expected 32 bytes in base64 or as 64 hexadecimal digits, got ${trimmed.length} characters.`,
    );
  }
  return bytes;
}
