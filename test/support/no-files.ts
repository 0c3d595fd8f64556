/** For tests that upload nothing: using it is a mistake of the test. */
import type { Files } from '#domain/files/attach-files.ts';

export const noFiles = new Proxy({} as Files, {
  get() {
    throw new Error('This test has no files.');
  },
});
