/** Carries out operations as the command line does, for tests that have a store and no server. */
import { createApiTokenSecrets } from '#auth/api-token.ts';
import { createSecrets } from '#auth/secret.ts';
import { createLanguage } from '#core/content/language.ts';
import { createRenderer } from '#core/content/render.ts';
import type { Actor } from '#core/model/permission.ts';
import { type Caller, type Carry, carryOutFor, type Wiki } from '#core/operations/carry-out.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { proofsOfWork } from './proof.ts';

let senders = 0;
const services: Wiki['services'] = {
  apiTokenSecrets: createApiTokenSecrets,
  files() {
    throw new Error('These tests have no files.');
  },
  renderer: () => createRenderer('Test'),
  secrets: createSecrets,
  secondFactorRule: () => 'none',
  secretLinks() {
    throw new Error('These tests open no secret links.');
  },
  // Each comes from another address.
  strangers: () => ({ proofsOfWork, sender: () => String(++senders) }),
  webhookSender() {
    throw new Error('These tests send nothing.');
  },
  language: () => createLanguage(),
  credentials() {
    throw new Error('These tests sign nobody in.');
  },
  erasing() {
    throw new Error('These tests erase nothing.');
  },
  imports() {
    throw new Error('These tests import nothing.');
  },
  signUpRules: () => ({ mode: 'invitation', role: 'reader' }),
};

export function carryOver(
  store: Store,
  now = 1,
  caller: Caller | 'command line' = 'command line',
  files?: Files,
): Carry {
  const wiki = {
    store,
    clock: () => now,
    services: { ...services, ...(files ? { files: () => files } : {}) },
  };
  return carryOutFor(wiki, caller);
}

/** For the member, without a sign-in. */
export function carryFor(store: Store, actor: Actor, now: number, files?: Files): Carry {
  return carryOver(store, now, { actor, isCommandLine: true }, files);
}
