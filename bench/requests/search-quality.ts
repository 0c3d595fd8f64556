/**
 * How good searches for questions are, on a test collection: pages made from its texts, asked through the API.
 *
 *   node bench/requests/search-quality.ts <folder of the collection> [sqlite or postgres] [queries, queries-dev.json]
 *
 * The folder has `documents.jsonl` with `{id, title, text}` a line, and queries `[{id, text, relevant: {id: grade}}]`. Prints nDCG
 * of the first ten, recall of the first hundred, the number of queries without a relevant page among these, and the times of a
 * search and of an edit.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '#config/config.ts';
import { addMember } from '#core/members/manage-members.ts';
import { buildApp } from '#run/app.ts';
import { tokenFor } from '#test/support/sessions.ts';
import { openPostgresServer } from '../processes/postgres.ts';

interface Query {
  id: number;
  text: string;
  relevant: Record<string, number>;
}

const [folder = '', engine = 'sqlite', queriesFile = 'queries-dev.json'] = process.argv.slice(2);
const shown = 100;
const graded = 10;
const database = 'coppice_search_quality';

const documents = readFileSync(join(folder, 'documents.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: number; title: string; text: string });
const queries = JSON.parse(readFileSync(join(folder, queriesFile), 'utf8')) as Query[];

const postgres = engine === 'postgres' ? await openPostgresServer() : undefined;
if (postgres) {
  const client = new pg.Client(postgres.urlOf('postgres'));
  await client.connect();
  await client.query(`drop database if exists ${database} with (force)`);
  await client.query(`create database ${database}`);
  await client.end();
}
const data = mkdtempSync(join(tmpdir(), 'coppice-search-quality-'));
const config = readConfig({
  COPPICE_DATA: data,
  COPPICE_RATE_LIMIT: 'off',
  DATABASE_URL: postgres?.urlOf(database),
});
const app = await buildApp(config, { logger: pino({ level: 'silent' }) });
try {
  await app.server.ready();
  const { store, passphrases, tokens } = app.service;
  const now = Date.now();
  const member = { email: 'ada@example.org', name: 'Ada', passphrase: null, isAdmin: true };
  const { id } = await addMember(store, passphrases, member, now);
  const token = await tokenFor({ store, tokens }, id, { now });
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.server.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.body}`);
    return answer.json();
  };
  const saving: number[] = [];
  for (const { id, title, text } of documents) {
    const since = performance.now();
    await ask('POST', '/v1/pages', { title: title || `Document ${id}`, path: `/d${id}`, body: text });
    saving.push(performance.now() - since);
  }
  const asking: number[] = [];
  const before = process.cpuUsage();
  const scores = [];
  for (const query of queries) {
    const since = performance.now();
    const url = `/v1/pages?text=${encodeURIComponent(query.text)}&limit=${shown}&fields=path`;
    const found: { path: string }[] = await ask('GET', url);
    asking.push(performance.now() - since);
    scores.push(
      scoreOf(
        query,
        found.map(({ path }) => path.slice('/d'.length)),
      ),
    );
  }
  const { user, system } = process.cpuUsage(before);
  const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  console.log({
    engine,
    [`nDCG@${graded}`]: mean(scores.map(({ gain }) => gain)).toFixed(4),
    [`recall@${shown}`]: mean(scores.map(({ recall }) => recall)).toFixed(4),
    withoutAny: scores.filter(({ recall }) => recall === 0).length,
    cpuMsOfSearch: ((user + system) / 1000 / queries.length).toFixed(1),
    medianMsOfSearch: median(asking).toFixed(1),
    medianMsOfSaving: median(saving).toFixed(2),
  });
} finally {
  await app.close();
  await postgres?.release();
  rmSync(data, { recursive: true, force: true });
}

function scoreOf({ relevant }: Query, found: string[]): { gain: number; recall: number } {
  const discounted = (grades: number[]) =>
    grades.slice(0, graded).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);
  const ideal = discounted(Object.values(relevant).sort((a, b) => b - a));
  const wanted = Object.keys(relevant).filter((id) => (relevant[id] ?? 0) > 0);
  const seen = new Set(found.slice(0, shown));
  return {
    gain: ideal === 0 ? 0 : discounted(found.map((id) => relevant[id] ?? 0)) / ideal,
    recall: wanted.filter((id) => seen.has(id)).length / wanted.length,
  };
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
