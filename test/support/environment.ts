/** Environment of processes that tests start. */
import { join } from 'node:path';

/**
 * Only the path of programs, and compiled code as `bin/coppice` keeps it: otherwise stripping types is a third of each start.
 */
export const baseEnvironment: Record<string, string> = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
};
