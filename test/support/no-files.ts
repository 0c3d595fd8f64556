/** For tests that upload nothing: any use throws. */
import type { Files } from '#core/ports/file-store.ts';

export const noFiles = new Proxy({} as Files, {
  get() {
    throw new Error('This test has no files.');
  },
});
