/** Prints the OpenAPI document, for `openapi.json` and the command `openapi`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '#config/config.ts';
import { buildApp } from './app.ts';

/** The OpenAPI document as `openapi.json` has it, made from an empty wiki in a temporary folder. */
export async function printOpenApi(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-openapi-'));
  try {
    const app = await buildApp(readConfig({ COPPICE_DATA: folder }), { logger: pino({ level: 'silent' }) });
    await app.server.ready();
    const text = `${JSON.stringify(app.openApi(), null, 2)}\n`;
    await app.close();
    return text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
