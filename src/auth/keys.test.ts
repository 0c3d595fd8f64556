/** Edited key files, and processes that start at the same time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { loadKeys, rotateKeyFile } from './keys.ts';

const newFile = async () => join(await temporaryFolder(), 'key');

test('processes that start at the same time agree on one key and leave nothing else behind', async () => {
  const file = await newFile();
  const keys = fileURLToPath(new URL('./keys.ts', import.meta.url));
  const program = `
    const { loadKeys } = await import(${JSON.stringify(keys)});
    const [key] = await loadKeys({ env: undefined, file: ${JSON.stringify(file)} });
    process.stdout.write(Buffer.from(key).toString('hex'));`;
  const said = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [heard, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      expect(code).toBe(0);
      return heard;
    }),
  );
  expect(new Set(said).size).toBe(1);
  expect(said[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await readdir(dirname(file))).toEqual(['key']);
});

test('a malformed file is refused without showing its content, and rotation leaves it unchanged', async () => {
  const good = Buffer.alloc(32, 7).toString('base64url');
  for (const content of ['tooshort', `${good}\nnot-a-key-either`, `${good} yesterday`, `${good}${good}`]) {
    const file = await newFile();
    await writeFile(file, content);
    for (const use of [() => loadKeys({ env: undefined, file }), () => rotateKeyFile(file, 0)]) {
      const sentence = await use().then(
        () => '',
        (error: Error) => error.message,
      );
      expect(sentence).toContain(`${file}: expected`);
      expect(sentence).not.toContain(good);
      expect(sentence).not.toContain('tooshort');
    }
    expect(await readFile(file, 'utf8')).toBe(content);
  }
});

test('a recently retired key still opens what it sealed', async () => {
  const file = await newFile();
  const [first] = await loadKeys({ env: undefined, file });
  for (const now of [1_000, 2_000, 3_000]) await rotateKeyFile(file, now);
  const keys = await loadKeys({ env: undefined, file });
  expect(keys).toHaveLength(4);
  expect(keys[3]).toEqual(first);
});
