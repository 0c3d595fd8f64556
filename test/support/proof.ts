/** Proofs of work for tests, solved by ALTCHA's library as a program would. Wikis that require them set `proofCost` low. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { TestApp } from './http.ts';

/** Fetches a challenge from the wiki and solves it. */
export async function proofFor(wiki: Pick<TestApp, 'call'>): Promise<string> {
  const { json: challenge } = await wiki.call('GET', '/v1/members/challenge');
  return payload(challenge, await solveChallenge({ challenge, deriveKey }));
}

export function payload(challenge: unknown, solution: unknown): string {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
