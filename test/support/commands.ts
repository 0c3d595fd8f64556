/** Names of all commands: files of `cli/`, and commands of features. */
import { readdirSync } from 'node:fs';
import { featureCommands } from '#src/features.ts';

export const commandNames = [
  ...readdirSync(new URL('../../src/cli', import.meta.url)).flatMap(
    (file) => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? [],
  ),
  ...Object.keys(featureCommands),
].sort();
