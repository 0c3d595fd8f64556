/**
 * Errors that keep a wiki from opening are mostly a matter of its settings. Then the server and all commands report them
 * in one sentence that names the setting.
 */
import { BadSettings, type Config } from './config/config.ts';
import { Problem } from './domain/problem.ts';

/** Result of `open`. Throws `BadSettings` for what settings can fix, anything else unchanged. */
export async function opening<T>(config: Config, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof BadSettings) throw error;
    const sentence = reasonNotToOpen(error as NodeJS.ErrnoException, config);
    throw sentence === undefined ? error : new BadSettings([sentence]);
  }
}

/** Undefined for what is no matter of settings but a bug. */
function reasonNotToOpen(error: NodeJS.ErrnoException, config: Config): string | undefined {
  const { code = '', message, cause } = error;
  const isRefused = error instanceof Problem;
  // The cause says whether it is the address, the user, the database or the disk; it never quotes the passphrase.
  const reason = (isRefused && (cause as Error | undefined)?.message) || message;
  if (config.databaseUrl !== undefined && (isRefused || 'severity' in error)) {
    return `DATABASE_URL: the database cannot be used (${reason}).`;
  }
  if (
    isRefused ||
    code === 'ERR_SQLITE_ERROR' ||
    /^(EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST|ENOSPC|EDQUOT|ENOENT|ELOOP|ENAMETOOLONG)$/.test(code)
  ) {
    return `COPPICE_DATA: ${config.dataFolder} cannot be used (${reason}).`;
  }
  // Thrown by our own parts with a sentence for the person, such as that a key has the wrong length.
  return error.constructor === Error ? message : undefined;
}
