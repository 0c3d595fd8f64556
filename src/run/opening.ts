/**
 * Errors that prevent opening a wiki are usually caused by its settings. The server and all commands report them in one
 * sentence that names the setting.
 */

import { BadSettings, type Config } from '#config/config.ts';
import { Problem } from '#core/model/problem.ts';

/** Returns the result of `open`. Throws `BadSettings` for errors that settings can fix, and other errors unchanged. */
export async function opening<T>(config: Config, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof BadSettings) throw error;
    const sentence = reasonNotToOpen(error as NodeJS.ErrnoException, config);
    throw sentence === undefined ? error : new BadSettings([sentence]);
  }
}

/** Returns undefined if the error is a bug and not caused by settings. */
function reasonNotToOpen(error: NodeJS.ErrnoException, config: Config): string | undefined {
  const { code = '', message, cause } = error;
  const isRefused = error instanceof Problem;
  // The cause distinguishes address, user, database and disk, and never quotes the passphrase.
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
  // Plain errors are thrown by our own code with a sentence for the user, such as a key of the wrong length.
  return error.constructor === Error ? message : undefined;
}
