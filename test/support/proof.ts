/** Proofs of work for tests, solved by ALTCHA's library as a program would. Wikis that require them set `proofCost` low. */
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createProofsOfWork } from '#auth/proof-of-work.ts';
import type { TestApp } from './http.ts';

/** Fetches a challenge from the wiki and solves it. */
export async function proofFor(wiki: Pick<TestApp, 'call'>): Promise<string> {
  const { json: challenge } = await wiki.call('GET', '/v1/members/challenge');
  return solved(challenge);
}

export async function solved(challenge: object): Promise<string> {
  return payload(challenge, await solveChallenge({ challenge: challenge as Challenge, deriveKey }));
}

/** The proofs of wikis without a server. */
export const proofsOfWork = createProofsOfWork([Buffer.alloc(32)], 1);

/** Solves a challenge of `proofsOfWork`. */
export async function solvedProof(now: number): Promise<string> {
  return solved(await proofsOfWork.challenge(now));
}

export function payload(challenge: unknown, solution: unknown): string {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
