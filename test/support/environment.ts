/** Environment of processes that tests start. */
import { join } from 'node:path';

/**
 * Nothing of the tests' own environment but where programs are, and compiled code as `bin/coppice` keeps it: without, taking
 * types off is a third of each start.
 */
export const baseEnvironment: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
};
