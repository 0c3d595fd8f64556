import type { Engine, EngineOptions } from './engine.ts';
export function openPostgres(_url: string, _options: EngineOptions): Engine {
  throw new Error('PostgreSQL comes next.');
}
